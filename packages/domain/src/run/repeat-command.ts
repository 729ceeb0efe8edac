import type { RunSpec } from "@rigmark/protocol";

/** For a POSIX shell. Labels are free text. */
const quote = (word: string): string =>
  /^[A-Za-z0-9_.,:=@/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function entryArgument(entry: RunSpec["entries"][number]): string {
  const options = Object.entries(entry.options).map(([name, value]) => `${name}=${value}`);
  const server = options.length > 0 ? `${entry.server}:${options.join(",")}` : entry.server;
  return entry.label === entry.server ? server : `${entry.label}=${server}`;
}

/** The command that does the same again, on any host. */
export function repeatCommand(spec: RunSpec): string {
  const words = ["rigmark", "run"];
  for (const entry of spec.entries) words.push("--server", quote(entryArgument(entry)));
  for (const scenario of spec.scenarios) words.push("--scenario", quote(scenario));
  words.push("--repeats", String(spec.repeats));
  if (spec.duration_s !== null) words.push("--duration", `${spec.duration_s}s`);
  if (spec.warmup_s !== null) words.push("--warmup", `${spec.warmup_s}s`);
  if (spec.baseline !== null) words.push("--baseline", quote(spec.baseline));
  words.push("--seed", String(spec.seed));
  return words.join(" ");
}
