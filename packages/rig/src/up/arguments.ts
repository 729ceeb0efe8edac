import { parseArgs } from "node:util";
import type { AskedPlace } from "../network/place";
import { CommandError } from "../say";

export interface UpArguments extends AskedPlace {
  detach: boolean;
  json: boolean;
  demo: boolean;
  /** Null when none was asked for: the last one, else the usual one, else the next that is free. */
  port: number | null;
}

export function parseUp(argv: string[]): UpArguments {
  // The address may be left out, which an option with a value does not allow.
  const chosen = argv.findLast((argument) => argument.startsWith(ADDRESS))?.slice(ADDRESS.length);
  const { values } = read(argv.map((argument) => (argument.startsWith(ADDRESS) ? "--network" : argument)));
  const { network, listen } = values;
  if (network && (values["no-network"] || listen !== undefined))
    throw new CommandError(
      `--network listens on all addresses of this machine, so it does not go with ${listen === undefined ? "--no-network" : "--listen"}.`,
      { exit: 2 },
    );
  return {
    detach: values.detach ?? false,
    json: values.json ?? false,
    demo: !(values["no-demo"] ?? false),
    port: values.port === undefined ? null : portOf(values.port),
    listen: listen ?? null,
    network: values["no-network"] ? false : network ? chosen || true : null,
  };
}

const ADDRESS = "--network=";

function read(argv: string[]) {
  const options = {
    detach: { type: "boolean" },
    json: { type: "boolean" },
    "no-demo": { type: "boolean" },
    port: { type: "string" },
    listen: { type: "string" },
    network: { type: "boolean" },
    "no-network": { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args: argv, options, strict: true, allowPositionals: false });
  } catch (cause) {
    throw new CommandError(`${(cause as Error).message} ./rig help says what there is.`, { exit: 2, cause });
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new CommandError(`--port takes a number from 1 to 65535, not "${text}".`, { exit: 2 });
}
