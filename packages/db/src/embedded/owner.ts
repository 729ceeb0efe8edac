import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { platform, userInfo } from "node:os";
import { dirname, resolve } from "node:path";

/** How to start a program of PostgreSQL, which refuses to run as root. */
export interface Owner {
  uid: number | null;
  gid: number | null;
  /** Put before the program and its arguments. */
  prefix: string[];
}

const idOf = (kind: "-u" | "-g"): number => Number(execFileSync("id", [kind, "postgres"], { stdio: "pipe" }));

function postgresUser(): { uid: number; gid: number } {
  try {
    return { uid: idOf("-u"), gid: idOf("-g") };
  } catch {
    if (platform() !== "linux") {
      throw new Error(
        "PostgreSQL does not run as root; start this as an ordinary user, or set DATABASE_URL.",
      );
    }
    execFileSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"], { stdio: "pipe" });
    return { uid: idOf("-u"), gid: idOf("-g") };
  }
}

/** Not in a container of Docker's or Podman's, unless it was started with more rights. */
function mayPassCapability(): boolean {
  if (platform() !== "linux") return true;
  const DAC_READ_SEARCH = 1n << 2n;
  const bound = /^CapBnd:\s*([0-9a-f]+)$/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1];
  return bound === undefined || (BigInt(`0x${bound}`) & DAC_READ_SEARCH) !== 0n;
}

/** True when every folder on the way to `path` may be entered by everybody. */
function reachable(path: string): boolean {
  for (let dir = dirname(resolve(path)); ; dir = dirname(dir)) {
    if ((statSync(dir).mode & 0o001) === 0) return false;
    if (dir === dirname(dir)) return true;
  }
}

/**
 * As root: the system user `postgres`, made when it is missing. Where a folder on the way is closed to it (a clone
 * under /root), it keeps one capability, CAP_DAC_READ_SEARCH, with which it may read any file but write none of them.
 * access(2), with which initdb looks for its programs, drops capabilities of ordinary users; `no_setuid_fixup` stops that.
 */
export function findOwner(paths: string[]): Owner {
  if (userInfo().uid !== 0) return { uid: null, gid: null, prefix: [] };
  const { uid, gid } = postgresUser();
  if (paths.every(reachable)) return { uid, gid, prefix: [] };
  if (!mayPassCapability())
    throw new Error(
      "PostgreSQL does not run as root, and its user may not enter the folder of this clone; move the clone to where everybody may enter, such as /srv, or set DATABASE_URL.",
    );
  const caps = [
    "--securebits=+no_setuid_fixup",
    "--inh-caps=+dac_read_search",
    "--ambient-caps=+dac_read_search",
  ];
  return {
    uid,
    gid,
    prefix: ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...caps],
  };
}

/** Program, arguments and spawn options for a program that is run as the owner. */
export function asOwner(owner: Owner, program: string, args: string[]) {
  const ids = owner.uid === null || owner.gid === null ? {} : { uid: owner.uid, gid: owner.gid };
  const [first, ...rest] = [...owner.prefix, program, ...args];
  return {
    command: first ?? program,
    args: rest,
    // Without a locale PostgreSQL on a Mac asks the system for one, which starts a thread, and refuses to go on.
    // biome-ignore lint/style/noProcessEnv: the program gets what this one has, but for the locale.
    options: { cwd: "/", env: { ...process.env, LC_ALL: "C" }, ...(owner.prefix.length > 0 ? {} : ids) },
  };
}
