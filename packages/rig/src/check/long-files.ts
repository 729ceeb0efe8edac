import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../paths";
import { filesOfTree } from "./files";

const LIMIT = 500;
const OURS =
  /^(apps\/agent|apps\/web|packages|servers|deploy)\/.*\.(rs|tsx?|m?js|c|h|S|py|sh|go|java|lua|sql|css)$/;
const NOT_BY_HAND = /(^|\/)(golden|generated|tool_output|fonts|pictures)\//;
const MAY_BE_LONGER = new Set([
  // One file, since it is piped into sh.
  "deploy/install.sh",
  // The tables at the first release. What has run stays as it is.
  "packages/db/migrations/20261120223629_init/migration.sql",
]);

/** Every file of ours with more lines than anybody reads at once. */
export const longFiles = (): string[] =>
  filesOfTree().flatMap((file) => {
    if (!isLimited(file)) return [];
    return tooLong(file, readFileSync(join(root, file), "utf8")) ?? [];
  });

export const isLimited = (file: string): boolean =>
  OURS.test(file) && !NOT_BY_HAND.test(file) && !MAY_BE_LONGER.has(file);

export function tooLong(file: string, text: string): string | null {
  const lines = text.split("\n").length - 1;
  return lines > LIMIT ? `${file} has ${lines} lines, and at most ${LIMIT} are allowed: split it` : null;
}
