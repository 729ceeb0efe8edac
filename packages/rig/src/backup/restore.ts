import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { bundledMajor, giveToPostgres } from "@rigmark/db/embedded";
import { running } from "../down";
import { whenInterrupted } from "../interrupt";
import { paths } from "../paths";
import { CommandError, say } from "../say";
import { isDatabaseRunning } from "../up/database";
import { readArchive } from "./archive";
import { FORMAT, MANIFEST, Manifest, refuseOtherDatabase } from "./manifest";

/** `./rig restore FILE`: a backup in place of what is here, which is moved aside. */
export async function run([given = ""]: string[]): Promise<number> {
  refuseOtherDatabase("restore");
  const file = resolve(given);
  if (!existsSync(file)) throw new CommandError(`there is no file ${file}.`);
  await refuseRunning();
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(join(paths.state, "restore-"));
  const discard = (): void => rmSync(fresh, { recursive: true, force: true });
  whenInterrupted(async () => discard());
  try {
    const { rigmark, made_at } = await unpack(file, fresh);
    await refuseRunning();
    const before = exchange(fresh);
    say(`restored what Rigmark ${rigmark} backed up at ${made_at}`);
    if (before) say(`what was here is now in ${before}: remove it when you no longer need it`);
    say("./rig up starts it");
    return 0;
  } finally {
    discard();
  }
}

async function refuseRunning(): Promise<void> {
  if ((await running()).size > 0 || (await isDatabaseRunning()))
    throw new CommandError("the app runs: stop it with ./rig down, then restore.");
}

/** What a backup may hold. */
const PLACES = /^(secrets\.json|state\.json|release-key|postgres\/connection\.json|postgres\/data(\/.*)?)$/;
const isPlace = (path: string): boolean =>
  PLACES.test(path) && path.split("/").every((part) => !["", ".", ".."].includes(part));
const NEEDED = ["state.json", "postgres/connection.json", "postgres/data/PG_VERSION"];

/** The whole archive, below `into`, with the owners and modes that `up` gives. */
async function unpack(file: string, into: string): Promise<Manifest> {
  try {
    mkdirSync(join(into, "postgres"));
    let manifest: Manifest | null = null;
    for await (const { path, isFolder, pieces } of readArchive(file)) {
      if (manifest === null) {
        manifest = check(path, await textOf(pieces));
        continue;
      }
      if (!isPlace(path)) throw new Error(`no backup holds ${path}`);
      if (isFolder) mkdirSync(join(into, path), { mode: 0o700 });
      else await write(join(into, path), pieces);
    }
    if (manifest === null || !NEEDED.every((path) => existsSync(join(into, path))))
      throw new Error("it is no whole backup of Rigmark");
    giveToPostgres({ dir: join(into, "postgres") });
    return manifest;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const why = code?.startsWith("Z_") ? `it is damaged, or no backup of Rigmark (${message})` : message;
    throw new CommandError(`${file} was not restored, and nothing was changed: ${why}.`, { cause });
  }
}

function check(path: string, text: string): Manifest {
  const read = path === MANIFEST ? Manifest.safeParse(JSON.parse(text)) : null;
  if (!read?.success) throw new Error("it is no backup of Rigmark");
  const { format, rigmark, postgres } = read.data;
  const there = `restore it with Rigmark ${rigmark}, which made it`;
  if (format !== FORMAT) throw new Error(`its format is ${format}, not ${FORMAT}; ${there}`);
  const ours = bundledMajor();
  if (postgres !== ours) throw new Error(`it is of PostgreSQL ${postgres}, not ${ours}; ${there}`);
  return read.data;
}

async function textOf(pieces: AsyncIterable<Buffer>): Promise<string> {
  let text = "";
  for await (const piece of pieces) text += piece.toString();
  return text;
}

/** Without waiting for the disk, so that nothing is being written when an interrupt removes the folder. */
async function write(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const out = openSync(path, "wx", 0o600);
  try {
    for await (const piece of pieces) writeFileSync(out, piece);
  } finally {
    closeSync(out);
  }
}

/** Puts the new in the place of the old. Where that was moved; null when there was none. */
function exchange(fresh: string): string | null {
  const names = readdirSync(fresh);
  const old = names.filter((name) => existsSync(join(paths.state, name)));
  const time = new Date().toISOString().slice(0, 19).replaceAll(":", "-");
  const before = join(paths.state, `before-restore-${time}Z`);
  if (old.length > 0) mkdirSync(before, { mode: 0o700 });
  for (const name of old) renameSync(join(paths.state, name), join(before, name));
  for (const name of names) renameSync(join(fresh, name), join(paths.state, name));
  return old.length > 0 ? before : null;
}
