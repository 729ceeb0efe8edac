import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { paths } from "./paths";
import { CommandError } from "./say";
import { Service } from "./services/service";

/** What `up` remembers from one time to the next. */
const State = z.object({
  schema: z.literal(1),
  port: z.int().optional(),
  listen: z.string().optional(),
  /** True when the embedded PostgreSQL was started by us. */
  postgres: z.boolean().optional(),
  web: Service.optional(),
  /** Address, database and build that the running web app was started with. */
  web_config: z.string().optional(),
  agent: Service.optional(),
  /** Hash of the program that the running agent was started from. */
  agent_build: z.string().optional(),
  /** What is got after the first report. */
  later: Service.optional(),
  /** What builds the archives that hosts download. */
  archives: Service.optional(),
  /** The private address at which other machines may reach the app, until that is taken back. */
  network: z.ipv4().optional(),
  /** The first comparison; its report is in the database. */
  demo: z.object({ run_id: z.string() }).optional(),
});
export type State = z.infer<typeof State>;

export function readState(): State {
  if (!existsSync(paths.stateFile)) return { schema: 1 };
  const read = State.safeParse(parse(paths.stateFile));
  if (!read.success) {
    throw new CommandError(
      `${paths.stateFile} cannot be read; move it away, and stop what still runs by hand.`,
    );
  }
  return read.data;
}

function writeState(state: State): void {
  writeWhole(paths.stateFile, `${JSON.stringify(state, null, 2)}\n`);
}

/** Changes one thing and writes it at once, so that a crash a moment later forgets nothing. */
export function remember(change: Partial<State>): State {
  const next = { ...readState(), ...change };
  writeState(next);
  return next;
}

const Secrets = z.object({ auth_secret: z.string().min(40) });

/** Made once, readable by nobody else. */
export function readSecrets(): z.infer<typeof Secrets> {
  if (existsSync(paths.secrets)) {
    const read = Secrets.safeParse(parse(paths.secrets));
    if (!read.success)
      throw new CommandError(`${paths.secrets} is damaged; remove it, and everybody signs in anew.`);
    return read.data;
  }
  const made = { auth_secret: randomBytes(48).toString("base64url") };
  writeWhole(paths.secrets, `${JSON.stringify(made)}\n`);
  return made;
}

function parse(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null;
  }
}

/** Whole or not at all, and for nobody else to read. */
export function writeWhole(path: string, text: string): void {
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
