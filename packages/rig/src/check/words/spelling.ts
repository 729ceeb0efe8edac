import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { paths, root } from "../../paths";
import { command, type Suite } from "../../suite";
import { filesToRead } from "./files";

/**
 * Programs that are full of the names of system calls, instructions and flags. The texts beside them are read, and of the
 * agent's commands the comments, help and errors (`overrides` in cspell.json).
 */
const PROGRAM = /^(servers\/.*\.(c|h|rs|py|sh|lua)|apps\/agent\/(?!src\/cli\/).*\.(c|rs|py|toml))$/;
const PROSE = /\.(md|tsx?|mjs|js|rs|c|h|py|sh|lua|yml|toml|css|prisma)$|^rig$/;

/** cspell, with the words of packages/rig/spelling/words.txt. It remembers what it has read, by content. */
export const spelling: Suite = {
  name: "spelling",
  run: () => {
    const folder = join(paths.home, "cspell");
    mkdirSync(folder, { recursive: true });
    // Named one by one: else it would walk node_modules.
    const list = join(folder, "files");
    writeFileSync(
      list,
      filesToRead()
        .filter((file) => PROSE.test(file) && !PROGRAM.test(file))
        .map((file) => `${join(root, file)}\n`)
        .join(""),
    );
    return command("spelling", [
      join(root, "node_modules", ".bin", "cspell"),
      ...["lint", "--config", join(root, "packages", "rig", "spelling", "cspell.json")],
      ...["--file-list", list, "--no-progress", "--show-suggestions", "--no-color"],
      ...["--cache", "--cache-strategy", "content", "--cache-location", join(folder, "cache")],
    ]).run();
  },
};
