import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths";
import { filesOfTree } from "./files";

/** Every POSIX shell script of the tree: they start with #!/bin/sh, and pull their own parts in. */
export const scripts = (): string[] =>
  filesOfTree().filter(
    (name) =>
      !/\.(ts|tsx|rs|c|h|json|md|png|woff2|ttf)$/.test(name) &&
      /^#!\s*\/bin\/sh/.test(readFileSync(join(root, name), "utf8").slice(0, 20)),
  );
