import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths";

/** Every POSIX shell script of the tree: they start with #!/bin/sh, and pull their own parts in. */
export function scripts(): string[] {
  const names = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  return names.split("\0").filter((name) => {
    if (name === "" || /\.(ts|tsx|rs|c|h|json|md|png|woff2|ttf)$/.test(name)) return false;
    const path = join(root, name);
    return existsSync(path) && /^#!\s*\/bin\/sh/.test(readFileSync(path, "utf8").slice(0, 20));
  });
}
