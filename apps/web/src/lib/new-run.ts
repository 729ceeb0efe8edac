import type {
  CatalogueScenario,
  CatalogueServer,
  HostTune,
  NumberName,
  RunSpec,
  Scenario,
} from "@rigmark/protocol";
import { MAX_TRIALS } from "@rigmark/protocol/run-ranges";
import type { RunOptions } from "@rigmark/results";
import { BLOCKS_FOR_VERDICT, defaultMost } from "@rigmark/results/blocks";
import { claimsOf } from "@rigmark/results/planned";
import {
  baseOf,
  NUMBER_RANGES,
  numbersOf,
  type ScenarioNumbers,
  withNumbers,
} from "@rigmark/results/scenario-numbers";
import { plural } from "./text";

/** A competing entry as the form holds it: numbers are text until they are asked for. */
export interface EntryForm {
  id: number;
  server: string;
  label: string;
  options: Record<string, string>;
  /** Of a run that is repeated; nothing on the form sets it. */
  revision?: string;
}
export type NumbersForm = Partial<Record<NumberName, string>>;
export interface RunForm {
  /** The suite that it was made from; null: an own choice. */
  suite: string | null;
  title: string;
  entries: EntryForm[];
  /** Names, without numbers. */
  scenarios: string[];
  /** By scenario: numbers that are not its own; empty is its own. */
  numbers: Record<string, NumbersForm>;
  repeats: string;
  /** In percent; empty: so many repeats, neither more nor fewer. */
  precision: string;
  /** The limit of repeats with a precision; empty: four times the repeats, and at least five. */
  most: string;
  /** Empty: each scenario's own. */
  duration: string;
  warmup: string;
  /** Id of the entry; null is the first. */
  baseline: number | null;
  /** Seconds; empty: the agent's own where the tool can do short ones, 0: whole trials. */
  slice: string;
  /** Empty: drawn when queued. */
  seed: string;
  /** Asked for; counts where the host's owner allows it. */
  tune: boolean;
}
export type Problems = Partial<
  Record<
    | "title"
    | "entries"
    | "scenarios"
    | "repeats"
    | "precision"
    | "most"
    | "duration"
    | "warmup"
    | "slice"
    | "seed"
    | `entry-${number}`
    | `scenario-${string}`,
    string
  >
>;

export const emptyForm = (): RunForm => ({
  suite: null,
  title: "",
  entries: [],
  scenarios: [],
  numbers: {},
  repeats: String(BLOCKS_FOR_VERDICT),
  precision: "",
  most: "",
  duration: "",
  warmup: "",
  baseline: null,
  slice: "",
  seed: "",
  tune: false,
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

const numbersForm = (reference: string): NumbersForm =>
  Object.fromEntries(Object.entries(numbersOf(reference) ?? {}).map(([k, v]) => [k, String(v)]));

export function fromSpec(spec: RunSpec): RunForm {
  const entries = spec.entries.map((e, i) => ({
    id: i + 1,
    server: e.server,
    label: e.label,
    options: Object.fromEntries(Object.entries(e.options).map(([k, v]) => [k, String(v)])),
    ...(e.revision !== undefined && { revision: e.revision }),
  }));
  return {
    suite: spec.suite ?? null,
    title: spec.title,
    entries,
    scenarios: [...new Set(spec.scenarios.map(baseOf))],
    numbers: Object.fromEntries(spec.scenarios.map((s) => [baseOf(s), numbersForm(s)])),
    repeats: String(spec.repeats),
    precision: written(percentOf(spec.precision)),
    most: written(spec.max_repeats),
    duration: spec.duration_s === null ? "" : String(spec.duration_s),
    warmup: spec.warmup_s === null ? "" : String(spec.warmup_s),
    baseline: entries.find((e) => e.label === spec.baseline)?.id ?? null,
    slice: written(spec.slice_s),
    seed: String(spec.seed),
    tune: spec.tune ?? false,
  };
}

/** Each run of a schedule has an order of its own, and so has one that begins with its plan. */
export const fromSchedule = (spec: RunSpec): RunForm => ({ ...fromSpec(spec), seed: "" });

/** The same servers under other scenarios: how long these load, and what they slice, is their own. */
export const withScenarios = (form: RunForm, wanted: string | string[] | undefined): RunForm =>
  wanted === undefined
    ? form
    : {
        ...form,
        suite: null,
        title: "",
        scenarios: [wanted].flat(),
        numbers: {},
        duration: "",
        warmup: "",
        slice: "",
      };

// Runs that were queued before there was a precision have none in their specs.
const written = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : String(value);
const percentOf = (ratio: number | null | undefined): number | null =>
  ratio === null || ratio === undefined ? null : Number((ratio * 100).toFixed(6));
const ratioOf = (percent: number | null): number | null =>
  percent === null ? null : Number((percent / 100).toFixed(8));

/** Left to the server's default, as in runs that were queued without the form: another value is another entry. */
const unset = (option: string | undefined): boolean => (option ?? "").trim() === "";

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
  for (const { scenario, settable } of chosenOf(form, options)) {
    const problem = numbersProblem(form.numbers[scenario.id] ?? {}, settable ?? []);
    if (problem) found[`scenario-${scenario.id}`] = problem;
  }
  if (outside(whole(form.repeats), ranges.repeats))
    found.repeats = `A whole number from ${ranges.repeats.min} to ${ranges.repeats.max}.`;
  const blocks = blockProblem(form, options);
  if (blocks) found[blocks.field] = blocks.problem;
  if (form.slice.trim() && number(form.slice) !== 0 && outside(number(form.slice), ranges.slice_s))
    found.slice = `From ${ranges.slice_s.min} to ${ranges.slice_s.max} seconds, or 0 for whole trials.`;
  if (form.duration.trim() && outside(number(form.duration), ranges.duration_s))
    found.duration = `From ${ranges.duration_s.min} to ${ranges.duration_s.max} seconds.`;
  if (form.warmup.trim() && outside(number(form.warmup), ranges.warmup_s))
    found.warmup = `From ${ranges.warmup_s.min} to ${ranges.warmup_s.max} seconds.`;
  if (form.seed.trim() && outside(whole(form.seed), { min: 0, max: Number.MAX_SAFE_INTEGER }))
    found.seed = "A whole number below 2⁵³.";
  return found;
}

/** What is chosen of the host's scenarios, in the host's order. */
const chosenOf = (form: RunForm, options: Pick<RunOptions, "scenarios">): CatalogueScenario[] =>
  options.scenarios.filter((s) => form.scenarios.includes(s.scenario.id));

/** The first number that is outside of its range; null: none. */
export function wrongNumber(form: NumbersForm, settable: readonly NumberName[]): NumberName | null {
  const isWrong = (name: NumberName): boolean => {
    const text = form[name]?.trim() ?? "";
    return text !== "" && outside(name === "duration" ? number(text) : whole(text), NUMBER_RANGES[name]);
  };
  return settable.find(isWrong) ?? null;
}

function numbersProblem(form: NumbersForm, settable: readonly NumberName[]): string | null {
  const name = wrongNumber(form, settable);
  if (name === null) return null;
  const { min, max } = NUMBER_RANGES[name];
  return name === "duration"
    ? `Duration: from ${min} to ${max} seconds.`
    : `${NUMBER_WORDS[name]}: a whole number from ${min} to ${max}.`;
}

export const NUMBER_WORDS: Record<NumberName, string> = {
  connections: "Connections",
  duration: "Duration",
  in_flight: "Requests under way",
  rate: "Rate",
};

/** Only meaningful when there are no problems. */
function setNumbers({ settable }: CatalogueScenario, form: NumbersForm): ScenarioNumbers {
  const set = (settable ?? []).flatMap((name) => {
    const value = number(form[name] ?? "");
    return value === null ? [] : [[name, value]];
  });
  return Object.fromEntries(set);
}

/** The chosen scenarios with the numbers that are set of them. */
export const scenariosOf = (form: RunForm, options: Pick<RunOptions, "scenarios">): Scenario[] =>
  chosenOf(form, options).map((s) =>
    withNumbers(s.scenario, setNumbers(s, form.numbers[s.scenario.id] ?? {})),
  );

function blockProblem(
  form: RunForm,
  { ranges }: RunOptions,
): { field: "precision" | "most"; problem: string } | null {
  if (!form.precision.trim()) return null;
  const { min, max } = ranges.precision;
  if (outside(ratioOf(number(form.precision)), ranges.precision))
    return { field: "precision", problem: `From ${min * 100} to ${max * 100} percent.` };
  const least = whole(form.repeats) ?? ranges.repeats.min;
  if (form.most.trim() && outside(whole(form.most), { min: least, max: ranges.repeats.max }))
    return {
      field: "most",
      problem: `A whole number from ${least} (the repeats) to ${ranges.repeats.max}.`,
    };
  const pairs = form.entries.length * form.scenarios.length;
  if (pairs * (whole(form.most) ?? 0) > MAX_TRIALS)
    return {
      field: "most",
      problem: `At most ${Math.floor(MAX_TRIALS / pairs)}: a run holds ${MAX_TRIALS} trials.`,
    };
  return null;
}

/** The first option that is outside of its range; null: none. */
export function wrongOption(entry: EntryForm, { options }: Pick<CatalogueServer, "options">): string | null {
  const isWrong = (name: string, range: { min: number; max: number }): boolean =>
    !unset(entry.options[name]) && outside(whole(entry.options[name] ?? ""), range);
  return Object.entries(options).find(([name, range]) => isWrong(name, range))?.[0] ?? null;
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
  const wrong = wrongOption(entry, server);
  const range = wrong === null ? undefined : server.options[wrong];
  if (range) return `${wrong}: a whole number from ${range.min} to ${range.max}.`;
  const label = entry.label.trim();
  if (!label) return "Enter a name.";
  if (labels.filter((l) => l === label).length > 1) return "Two entries have this name.";
  const chosen = options.scenarios.filter((s) => scenarios.includes(s.scenario.id));
  const claims = claimsOf(options.servers);
  if (chosen.length === 0 || chosen.some((s) => claims(server.name, s.scenario.workload))) return null;
  const wanted = [...new Set(chosen.map((s) => s.scenario.workload))];
  return `It does not claim ${wanted.join(" or ")}, and this run has no other workload.`;
}

/** The form as it would be queued; only meaningful when there are no problems. */
export function toSpec(
  form: RunForm,
  drawSeed: () => number,
  /** Of the host, where numbers of scenarios are set. */
  options: Pick<RunOptions, "scenarios" | "tune"> = { scenarios: [], tune: null },
): RunSpec {
  const baseline = form.entries.find((e) => e.id === form.baseline);
  const repeats = whole(form.repeats) ?? 0;
  const precision = ratioOf(number(form.precision));
  const named = new Map(scenariosOf(form, options).map((s) => [baseOf(s.id), s.id]));
  return {
    schema: 1,
    title: form.title.trim(),
    entries: form.entries.map((e) => ({
      label: e.label.trim(),
      server: e.server,
      options: Object.fromEntries(
        Object.entries(e.options).flatMap(([k, v]) => (unset(v) ? [] : [[k, whole(v) ?? 0]])),
      ),
      ...(e.revision !== undefined && { revision: e.revision }),
    })),
    // In the order in which they were chosen, which is that of the run.
    scenarios: form.scenarios.map((id) => named.get(id) ?? id),
    repeats,
    duration_s: number(form.duration),
    warmup_s: number(form.warmup),
    baseline: baseline?.label.trim() ?? null,
    seed: whole(form.seed) ?? drawSeed(),
    suite: form.suite,
    slice_s: number(form.slice),
    precision,
    // What the page says is what is queued.
    max_repeats:
      precision === null
        ? null
        : (whole(form.most) ?? defaultMost(repeats, form.entries.length * form.scenarios.length)),
    // The box is not there on another host, which may have been chosen meanwhile.
    ...(form.tune && mayTune(options.tune) && { tune: true as const }),
  };
}

/** The owner allows it, and the agent can set something. */
export const mayTune = (tune: HostTune | null): tune is HostTune => (tune?.sets.length ?? 0) > 0;
