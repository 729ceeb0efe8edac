import { parseArgs } from "node:util";
import { CommandError } from "../say";

export interface UpArguments {
  detach: boolean;
  json: boolean;
  demo: boolean;
  /** Null when none was asked for: the last one, else the usual one, else the next that is free. */
  port: number | null;
  /** Null when none was asked for. */
  listen: string | null;
}

export function parseUp(argv: string[]): UpArguments {
  const { values } = read(argv);
  return {
    detach: values.detach ?? false,
    json: values.json ?? false,
    demo: !(values["no-demo"] ?? false),
    port: values.port === undefined ? null : portOf(values.port),
    listen: values.listen ?? null,
  };
}

function read(argv: string[]) {
  const options = {
    detach: { type: "boolean" },
    json: { type: "boolean" },
    "no-demo": { type: "boolean" },
    port: { type: "string" },
    listen: { type: "string" },
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
