import type { PlanEntry, RunSpec } from "@rigmark/protocol";

/** For a POSIX shell. Labels are free text. */
const quote = (word: string): string =>
  /^[A-Za-z0-9_.,:=@/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function entryArgument(entry: RunSpec["entries"][number]): string {
  const options = Object.entries(entry.options).map(([name, value]) => `${name}=${value}`);
  // Without a label the agent would make one of the options, and an entry is what it is by its label too.
  if (options.length > 0) return `${entry.label}=${entry.server}:${options.join(",")}`;
  return entry.label === entry.server ? entry.server : `${entry.label}=${entry.server}`;
}

/** So much of a content's hash cannot be met by chance, and can be read. */
const HASH_CHARS = 12;

/**
 * The command that does the same again, on any host: the same plan, byte for byte, where the servers have the same content,
 * which `--expect` checks before anything is built. `entries` are the plan's; before there is one nothing is expected.
 */
export function repeatCommand(
  spec: RunSpec,
  entries: readonly Pick<PlanEntry, "label" | "content_hash">[] = [],
): string {
  const words = ["rigmark", "run"];
  for (const entry of spec.entries) words.push("--server", quote(entryArgument(entry)));
  for (const scenario of spec.scenarios) words.push("--scenario", quote(scenario));
  words.push("--repeats", String(spec.repeats));
  if (spec.precision !== null) words.push("--precision", `${Number((spec.precision * 100).toFixed(6))}%`);
  if (spec.max_repeats !== null) words.push("--max-repeats", String(spec.max_repeats));
  if (spec.slice_s !== null) words.push("--slice", `${spec.slice_s}s`);
  if (spec.duration_s !== null) words.push("--duration", `${spec.duration_s}s`);
  if (spec.warmup_s !== null) words.push("--warmup", `${spec.warmup_s}s`);
  if (spec.baseline !== null) words.push("--baseline", quote(spec.baseline));
  words.push("--seed", String(spec.seed));
  for (const { label, content_hash } of entries)
    words.push("--expect", quote(`${label}=${content_hash.slice(0, HASH_CHARS)}`));
  return words.join(" ");
}
