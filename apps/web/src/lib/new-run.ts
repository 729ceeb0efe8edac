import type { RunOptions } from "@rigmark/domain/views";
import type { CatalogueServer, RunSpec } from "@rigmark/protocol";
import { plural } from "./text";

/** A competing entry as the form holds it: numbers are text until they are asked for. */
export interface EntryForm {
  id: number;
  server: string;
  label: string;
  options: Record<string, string>;
}
export interface RunForm {
  /** The suite that it was made from; null: an own choice. */
  suite: string | null;
  title: string;
  entries: EntryForm[];
  scenarios: string[];
  repeats: string;
  /** Empty: each scenario's own. */
  duration: string;
  warmup: string;
  /** Id of the entry; null is the first. */
  baseline: number | null;
  /** Empty: drawn when queued. */
  seed: string;
}
export type Problems = Partial<
  Record<
    "title" | "entries" | "scenarios" | "repeats" | "duration" | "warmup" | "seed" | `entry-${number}`,
    string
  >
>;

/** Fewer blocks than this give no verdict (DESIGN §5.5). */
export const VERDICT_BLOCKS = 5;

export const emptyForm = (): RunForm => ({
  suite: null,
  title: "",
  entries: [],
  scenarios: [],
  repeats: String(VERDICT_BLOCKS),
  duration: "",
  warmup: "",
  baseline: null,
  seed: "",
});

/** Another entry of a server; a second one gets a label of its own. */
export function addEntry(form: RunForm, server: CatalogueServer): RunForm {
  const id = form.entries.reduce((max, e) => Math.max(max, e.id), 0) + 1;
  const taken = new Set(form.entries.map((e) => e.label));
  let label = server.name;
  for (let n = 2; taken.has(label); n += 1) label = `${server.name} ${n}`;
  const options = Object.fromEntries(
    Object.entries(server.options).map(([name, o]) => [name, String(o.default)]),
  );
  return { ...form, entries: [...form.entries, { id, server: server.name, label, options }] };
}

export const removeEntry = (form: RunForm, id: number): RunForm => ({
  ...form,
  entries: form.entries.filter((e) => e.id !== id),
  baseline: form.baseline === id ? null : form.baseline,
});

export function fromSpec(spec: RunSpec): RunForm {
  const entries = spec.entries.map((e, i) => ({
    id: i + 1,
    server: e.server,
    label: e.label,
    options: Object.fromEntries(Object.entries(e.options).map(([k, v]) => [k, String(v)])),
  }));
  return {
    suite: spec.suite ?? null,
    title: spec.title,
    entries,
    scenarios: [...spec.scenarios],
    repeats: String(spec.repeats),
    duration: spec.duration_s === null ? "" : String(spec.duration_s),
    warmup: spec.warmup_s === null ? "" : String(spec.warmup_s),
    baseline: entries.find((e) => e.label === spec.baseline)?.id ?? null,
    seed: String(spec.seed),
  };
}

const number = (text: string): number | null => (/^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null);
const whole = (text: string): number | null => (/^\d+$/.test(text.trim()) ? Number(text) : null);
const outside = (value: number | null, range: { min: number; max: number }): boolean =>
  value === null || value < range.min || value > range.max;

/** What stands in the way of queueing, each beside its field. */
export function problemsOf(form: RunForm, options: RunOptions): Problems {
  const { ranges } = options;
  const found: Problems = {};
  if (form.entries.length === 0) found.entries = "Choose at least one server.";
  else if (form.entries.length > ranges.entries.max)
    found.entries = `At most ${plural(ranges.entries.max, "entry", "entries")}.`;
  const labels = form.entries.map((e) => e.label.trim());
  for (const entry of form.entries) {
    const problem = entryProblem(entry, labels, form.scenarios, options);
    if (problem) found[`entry-${entry.id}`] = problem;
  }
  if (form.scenarios.length === 0) found.scenarios = "Choose at least one scenario.";
  else if (form.scenarios.length > ranges.scenarios.max)
    found.scenarios = `At most ${plural(ranges.scenarios.max, "scenario")}.`;
  if (outside(whole(form.repeats), ranges.repeats))
    found.repeats = `A whole number from ${ranges.repeats.min} to ${ranges.repeats.max}.`;
  if (form.duration.trim() && outside(number(form.duration), ranges.duration_s))
    found.duration = `From ${ranges.duration_s.min} to ${ranges.duration_s.max} seconds.`;
  if (form.warmup.trim() && outside(number(form.warmup), ranges.warmup_s))
    found.warmup = `From ${ranges.warmup_s.min} to ${ranges.warmup_s.max} seconds.`;
  if (form.seed.trim() && outside(whole(form.seed), { min: 0, max: Number.MAX_SAFE_INTEGER }))
    found.seed = "A whole number below 2⁵³.";
  return found;
}

function entryProblem(
  entry: EntryForm,
  labels: readonly string[],
  scenarios: readonly string[],
  options: RunOptions,
): string | null {
  const server = options.servers.find((s) => s.name === entry.server);
  if (!server) return `This host has no server ${entry.server}.`;
  if (!server.supported) return server.reason ?? "This server does not work on this host.";
  const label = entry.label.trim();
  if (!label) return "Give it a label.";
  if (labels.filter((l) => l === label).length > 1) return "Two entries have this label.";
  for (const [name, range] of Object.entries(server.options))
    if (outside(whole(entry.options[name] ?? ""), range))
      return `${name}: a whole number from ${range.min} to ${range.max}.`;
  const chosen = options.scenarios.filter((s) => scenarios.includes(s.scenario.id));
  if (chosen.length === 0 || chosen.some((s) => server.workloads.includes(s.scenario.workload))) return null;
  const wanted = [...new Set(chosen.map((s) => s.scenario.workload))];
  return `It does not answer ${wanted.join(" or ")}, and nothing else is asked for.`;
}

/** The form as it would be queued; only meaningful when there are no problems. */
export function toSpec(form: RunForm, drawSeed: () => number): RunSpec {
  const baseline = form.entries.find((e) => e.id === form.baseline);
  return {
    schema: 1,
    title: form.title.trim(),
    entries: form.entries.map((e) => ({
      label: e.label.trim(),
      server: e.server,
      options: Object.fromEntries(Object.entries(e.options).map(([k, v]) => [k, whole(v) ?? 0])),
    })),
    scenarios: form.scenarios,
    repeats: whole(form.repeats) ?? 0,
    duration_s: number(form.duration),
    warmup_s: number(form.warmup),
    baseline: baseline?.label.trim() ?? null,
    seed: whole(form.seed) ?? drawSeed(),
    suite: form.suite,
    slice_s: null,
    precision: null,
    max_repeats: null,
  };
}
