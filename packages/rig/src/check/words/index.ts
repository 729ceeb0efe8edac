import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../paths";
import { filesOfTree } from "../files";
import { filesToRead } from "./files";
import { type Found, retiredIn } from "./find";

/** Every retired word of the tree: in the names of all files, and in the texts that are checked. */
export const retiredWords = (): Found[] => [
  ...filesOfTree().flatMap((file) => retiredIn(file, file).map((found) => ({ ...found, line: 0 }))),
  ...filesToRead().flatMap((file) => retiredIn(file, readFileSync(join(root, file), "utf8"))),
];

export const inWords = ({ file, line, word, say }: Found): string =>
  `${file}${line > 0 ? `:${line}` : ""}: instead of “${word}” write: ${say}`;
