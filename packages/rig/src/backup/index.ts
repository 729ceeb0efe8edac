import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import { copyEmbedded } from "@rigmark/db/embedded";
import { whenInterrupted } from "../interrupt";
import { paths, version } from "../paths";
import { CommandError, say, seconds } from "../say";
import { readState } from "../state";
import { type Entry, writeArchive } from "./archive";
import { FORMAT, MANIFEST, type Manifest, refuseOtherDatabase } from "./manifest";

/** `./rig backup FILE`: database and secrets in one archive, also while the app runs. */
export async function run([given = ""]: string[]): Promise<number> {
  refuseOtherDatabase("backup");
  const file = resolve(given);
  const began = Date.now();
  const postgres = postgresMajor();
  refuseExisting(file);
  const part = `${file}.part`;
  const out = await create(part);
  const discard = (): void => rmSync(part, { force: true });
  whenInterrupted(async () => discard());
  try {
    await writeArchive(out, contents(postgres));
    refuseExisting(file);
    renameSync(part, file);
  } catch (cause) {
    discard();
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`no backup was made: ${(cause as Error).message}.`, { cause });
  }
  const megabytes = Math.ceil(statSync(file).size / 1e6);
  say(`backed up to ${file} (${megabytes} MB) in ${seconds(Date.now() - began)}. It holds secrets.`);
  return 0;
}

function postgresMajor(): number {
  const of = join(paths.postgres, "data", "PG_VERSION");
  if (!existsSync(of))
    throw new CommandError("there is nothing to back up: ./rig up has made no database here yet.");
  return Number(readFileSync(of, "utf8"));
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new CommandError(`${file} exists: choose another name, or move it away.`);
}

async function create(part: string): Promise<FileHandle> {
  try {
    return await open(part, "wx", 0o600);
  } catch (cause) {
    throw new CommandError(
      existsSync(part)
        ? `${part} exists: another backup is writing it, or one that was killed left it and you can remove it.`
        : `${part} cannot be written: ${(cause as Error).message}.`,
      { cause },
    );
  }
}

/** What is not here can be built again, or belongs to this machine: the agent's state above all. */
async function* contents(postgres: number): AsyncGenerator<Entry> {
  const made_at = new Date().toISOString();
  yield json(MANIFEST, { format: FORMAT, rigmark: version(), postgres, made_at } satisfies Manifest);
  const { schema, port, network, demo } = readState();
  yield json("state.json", { schema, port, network, demo });
  for (const path of ["secrets.json", "release-key", "postgres/connection.json"]) {
    const from = join(paths.state, path);
    if (existsSync(from)) yield { path, content: readFileSync(from) };
  }
  for await (const { path, content } of copyEmbedded({ dir: paths.postgres }))
    yield { path: `postgres/${path}`, content };
}

const json = (path: string, value: object): Entry => ({
  path,
  content: Buffer.from(`${JSON.stringify(value)}\n`),
});
