import { closeSync, constants, fstatSync, openSync, readFileSync, rmSync } from "node:fs";
import { filesOf, LauncherRequest, MOST_BYTES } from "@rigmark/domain/launcher";
import { paths } from "../paths";

/** A request that nobody took for so long was for an `up` that has ended. */
const GOOD_FOR_MS = 60_000;

/**
 * The request that the app left for the `up` with that nonce; it is taken once. Null for anything else: a file of another
 * user, or one that others may read or write, a link, what is too long, too old or not in the form.
 */
export function takeRequest(path: string, nonce: string, now = Date.now()): LauncherRequest | null {
  const text = readOwn(path);
  if (text === null) return null;
  const request = parse(text);
  const fresh = request && Math.abs(now - request.at) <= GOOD_FOR_MS;
  // Another `up` may be about to take it.
  if (fresh && request.nonce !== nonce) return null;
  rmSync(path, { force: true });
  return fresh ? request : null;
}

/** No `up` takes requests any longer, or not yet. */
export function forgetRequests(): void {
  const { note, request } = filesOf(paths.state);
  for (const file of [note, request]) rmSync(file, { force: true });
}

function parse(text: string): LauncherRequest | null {
  try {
    return LauncherRequest.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Empty where the file is not to be believed; null where there is none. */
function readOwn(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? null : "";
  }
  try {
    const is = fstatSync(file);
    const ours = is.isFile() && is.uid === process.getuid?.() && (is.mode & 0o077) === 0;
    return ours && is.size <= MOST_BYTES ? readFileSync(file, "utf8") : "";
  } finally {
    closeSync(file);
  }
}
