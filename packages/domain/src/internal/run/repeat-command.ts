import type { EntrySpec, Environment, PlanEntry, RunLabel, RunSpec } from "@rigmark/protocol";
import { entryArgument, option } from "@rigmark/results/shell";
import { type Planned, planHash } from "./plan-parameters";

export { entryArgument } from "@rigmark/results/shell";

/** So much of a content's hash cannot be met by chance, and can be read. */
const HASH_CHARS = 12;

/** What a run has beside what was asked for, once it began. */
export interface Began extends Planned {
  entries: readonly PlanEntry[];
  environment: Pick<Environment, "facts" | "tools" | "tuned"> | null;
  labels: readonly Pick<RunLabel, "code">[];
}

/** `null` where nothing was held still. What huge pages were is what they are to be, also where they were so before. */
function tuned({ environment, labels }: Began): string | null {
  const asked = labels.some((label) => label.code === "not-tuned");
  if (environment === null || (environment.tuned.length === 0 && !asked)) return null;
  const { thp } = environment.facts;
  return thp !== null && ["always", "madvise", "never"].includes(thp) ? thp : "keep";
}

/**
 * A branch moves; once the run began, what was measured is the commit. A folder that was named by its path is one of its
 * repository, in whose top folder the command works.
 */
function atCommit(entry: EntrySpec, began: Began | null): EntrySpec {
  const measured = began?.entries.find((e) => e.label === entry.label)?.revision;
  if (!measured) return entry;
  const { commit, folder } = measured;
  if (entry.revision !== undefined) return { ...entry, revision: commit };
  if (folder === undefined) return entry;
  return { ...entry, server: folder === "." ? "." : `./${folder}`, revision: commit };
}

/** What loaded the servers, where it is known which version it was. */
const tools = ({ environment, scenarios }: Began): string[] =>
  (environment?.tools ?? []).flatMap(({ name, version }) =>
    version && scenarios.some((scenario) => scenario.tool === name) ? [`${name}=${version}`] : [],
  );

/**
 * The command that does the same again, on any host: the same plan, byte for byte, where agent, scenarios and servers are the
 * same, loaded by the same tools, which the `--expect`s check before anything is built. Before there is a plan nothing is expected.
 */
export function repeatCommand(spec: RunSpec, began: Began | null = null): string {
  const words = ["rigmark", "run"];
  const add = (name: string, value: string | number | null) => {
    if (value !== null) words.push(option(name, value));
  };
  for (const entry of spec.entries) add("server", entryArgument(atCommit(entry, began)));
  for (const scenario of spec.scenarios) add("scenario", scenario);
  add("as-suite", spec.suite);
  add("repeats", spec.repeats);
  add("precision", spec.precision);
  add("max-repeats", spec.max_repeats);
  add("time-limit", spec.time_limit_s === undefined ? null : `${spec.time_limit_s}s`);
  add("slice", spec.slice_s === null ? null : `${spec.slice_s}s`);
  add("duration", spec.duration_s === null ? null : `${spec.duration_s}s`);
  add("warmup", spec.warmup_s === null ? null : `${spec.warmup_s}s`);
  add("baseline", spec.baseline);
  add("seed", spec.seed);
  if (began === null) return spec.tune ? [...words, "--tune"].join(" ") : words.join(" ");
  add("tune", tuned(began));
  add("expect-agent", began.environment?.facts.agent_version ?? null);
  if (began.scenarios.length > 0) add("expect-plan", planHash(began).slice(0, HASH_CHARS));
  for (const { label, content_hash } of began.entries)
    add("expect", `${label}=${content_hash.slice(0, HASH_CHARS)}`);
  for (const tool of tools(began)) add("expect-tool", tool);
  return words.join(" ");
}
