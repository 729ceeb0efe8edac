import type { RunSpec } from "@rigmark/protocol";

/** For a POSIX shell. Labels are free text. */
const quote = (word: string): string =>
  /^[A-Za-z0-9_.,:=@/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** With `=`, since a label may begin with a hyphen. */
export const option = (name: string, value: string | number): string => `--${name}=${quote(String(value))}`;

/**
 * Always with the label, since the agent makes one of the options and an entry is what it is by its label too. How it is cut
 * again: `apps/agent/src/runner/plan/entry_parser.rs`.
 */
export function entryArgument({ label, server, options, revision }: RunSpec["entries"][number]): string {
  const set = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  const list = set.map(([name, value]) => `${name}=${value}`).join(",");
  // A server that is called like a number would be taken for the value of an option when the label ends like one.
  const named = revision === undefined ? server : `${server}@${revision}`;
  return `${label}=${named}${list !== "" || /^\d+$/.test(named) ? ":" : ""}${list}`;
}
