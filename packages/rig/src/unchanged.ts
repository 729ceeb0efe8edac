import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { arch, release } from "node:os";
import { join } from "node:path";
import { paths, root } from "./paths";
import type { Suite } from "./suite";

/** What is installed decides too: compilers, libraries, the tools that are called. */
const INSTALLED = ["/var/lib/dpkg/status", join(root, "pnpm-lock.yaml"), join(root, "package.json")];

const PASSED = "passed-";

/** All of them run again. */
export function forgetPassed(): void {
  if (!existsSync(paths.stamps)) return;
  for (const name of readdirSync(paths.stamps)) if (name.startsWith(PASSED)) rmSync(join(paths.stamps, name));
}

/**
 * The suite, which passes at once when it has passed with these very files and programs before. `reads` are files and
 * folders from the root; what git ignores does not count. `made` has to be as the suite left it.
 */
export function unlessUnchanged(suite: Suite, reads: readonly string[], made: readonly string[] = []): Suite {
  const stamp = join(paths.stamps, `${PASSED}${suite.name.replaceAll(/[^a-z0-9]+/gi, "-").toLowerCase()}`);
  return {
    name: suite.name,
    run: async () => {
      const hash = hashOf([...reads, ...ALWAYS]);
      if (hash === null) return suite.run();
      if (existsSync(stamp) && readFileSync(stamp, "utf8") === `${hash}${stateOf(made)}`)
        return { status: "passed", why: "nothing that it reads has changed since it passed" };
      rmSync(stamp, { force: true });
      const outcome = await suite.run();
      // What changed meanwhile is not what has passed.
      if (outcome.status === "passed" && hashOf([...reads, ...ALWAYS]) === hash) {
        mkdirSync(paths.stamps, { recursive: true });
        writeFileSync(stamp, `${hash}${stateOf(made)}`);
      }
      return outcome;
    },
  };
}

/** What is run with which arguments stands here. */
const ALWAYS = ["packages/rig/src", "turbo.json"];

/** Null where git cannot say which files there are, as in an unpacked archive. */
function hashOf(reads: readonly string[]): string | null {
  const files = filesOf(reads);
  if (files === null) return null;
  const hash = createHash("sha256").update(`${arch()} ${release()}\0`);
  for (const path of INSTALLED) if (existsSync(path)) hash.update(readFileSync(path)).update("\0");
  for (const program of ["rustc", "go", "java", "node", "python3", "nginx", "cc"])
    hash.update(`${versionOf(program)}\0`);
  for (const file of files) {
    const path = join(root, file);
    hash
      .update(`${file}\0`)
      .update(existsSync(path) ? `${statSync(path).mode}\0` : "gone")
      .update(existsSync(path) ? readFileSync(path) : "")
      .update("\0");
  }
  return hash.digest("hex");
}

/** Size and time of each file, and of those in a folder. */
const stateOf = (made: readonly string[]): string =>
  made
    .flatMap((path) => {
      if (!existsSync(path)) return [`${path} is gone`];
      const entry = statSync(path);
      if (entry.isDirectory()) return [stateOf(readdirSync(path).map((name) => join(path, name)))];
      return [`${path} ${entry.size} ${entry.mtimeMs}`];
    })
    .map((line) => `\n${line}`)
    .join("");

/** Known to git or new. */
function filesOf(reads: readonly string[]): string[] | null {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...reads];
  try {
    const names = execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 26,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return names
      .split("\0")
      .filter((name) => name !== "" && !name.endsWith("/"))
      .sort();
  } catch {
    return null;
  }
}

const versions = new Map<string, string>();

/** Asked once: a program that is replaced while the suites run is another one the next time. */
function versionOf(program: string): string {
  const known = versions.get(program);
  if (known !== undefined) return known;
  const version = askVersion(program);
  versions.set(program, version);
  return version;
}

function askVersion(program: string): string {
  try {
    const argument = program === "go" ? "version" : program === "nginx" ? "-v" : "--version";
    return execFileSync("sh", ["-c", `"$0" ${argument} 2>&1`, program], { encoding: "utf8" });
  } catch {
    return "not here";
  }
}
