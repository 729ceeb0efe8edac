import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import { paths, root } from "./paths";
import type { Suite } from "./suite";

/** What is installed decides too: compilers, libraries, the tools that are called. */
const INSTALLED = ["/var/lib/dpkg/status", join(root, "pnpm-lock.yaml")];

const PASSED = "passed-";

/** All of them run again. */
export function forgetPassed(): void {
  if (!existsSync(paths.stamps)) return;
  for (const name of readdirSync(paths.stamps)) if (name.startsWith(PASSED)) rmSync(join(paths.stamps, name));
}

/**
 * The suite, which passes at once when it has passed with these very files and programs before. `reads` are files and
 * folders from the root; what git ignores does not count. `made` has to be there still.
 */
export function unlessUnchanged(suite: Suite, reads: readonly string[], made: readonly string[] = []): Suite {
  const stamp = join(paths.stamps, `${PASSED}${suite.name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}`);
  return {
    name: suite.name,
    run: async () => {
      const hash = hashOf(reads);
      if (existsSync(stamp) && readFileSync(stamp, "utf8") === hash && made.every((path) => existsSync(path)))
        return { status: "passed", why: "nothing that it reads has changed since it passed" };
      rmSync(stamp, { force: true });
      const outcome = await suite.run();
      // What changed meanwhile is not what has passed.
      if (outcome.status === "passed" && hashOf(reads) === hash) {
        mkdirSync(paths.stamps, { recursive: true });
        writeFileSync(stamp, hash);
      }
      return outcome;
    },
  };
}

function hashOf(reads: readonly string[]): string {
  const hash = createHash("sha256").update(`${arch()} ${release()}\0`);
  for (const path of INSTALLED) if (existsSync(path)) hash.update(readFileSync(path)).update("\0");
  for (const program of ["rustc", "go"]) hash.update(`${versionOf(program)}\0`);
  for (const file of filesOf(reads)) {
    const path = join(root, file);
    hash
      .update(`${file}\0`)
      .update(existsSync(path) ? readFileSync(path) : "gone")
      .update("\0");
  }
  return hash.digest("hex");
}

/** Known to git or new. */
const filesOf = (reads: readonly string[]): string[] =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...reads], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  })
    .split("\0")
    .filter((name) => name !== "")
    .sort();

function versionOf(program: string): string {
  try {
    const argument = program === "go" ? "version" : "--version";
    return execFileSync(program, [argument], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    return "not here";
  }
}
