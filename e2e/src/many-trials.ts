import { createHash } from "node:crypto";

interface Line {
  v: 1;
  seq: number;
  t_us: number;
  kind: string;
  data: Record<string, unknown>;
}
interface Entry {
  key: string;
  label: string;
  baseline: boolean;
}
interface Trial {
  trial_id: string;
  entry_key: string;
  block: number;
  position: number;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const uuid = (text: string): string =>
  sha256(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");

/** 0 to 1, the same for the same words. */
export const drawn = (words: string): number => Number.parseInt(sha256(words).slice(0, 12), 16) / 2 ** 48;

/** Fields that are moments on the agent's clock. */
const MOMENTS = new Set(["t_us", "requests_t_us", "begin_us", "end_us"]);

/** A copy with other ids, and with every moment later by `shift`. */
function moved<T>(value: T, shift: number, ids: ReadonlyMap<string, string>): T {
  if (typeof value === "string") return (ids.get(value) ?? value) as T;
  if (Array.isArray(value)) return value.map((v) => moved(v, shift, ids)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, v]) => [
      name,
      MOMENTS.has(name) && typeof v === "number" ? v + shift : moved(v, shift, ids),
    ]),
  ) as T;
}

export interface ManyTrials {
  runId: string;
  text: string;
  trials: number;
}

/**
 * A result file with many trials, made from a recorded run of two servers with one trial each: each trial of the plan has the
 * records of the recorded one, with ids and moments of its own. The same seed gives the same bytes.
 */
export function manyTrials(recording: string, seed: number, entries = 10, blocks = 100): ManyTrials {
  const lines: Line[] = recording
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const recorded = lines.find((l) => l.kind === "plan")?.data as unknown as {
    entries: Entry[];
    trials: Trial[];
  };
  const templates = recorded.trials.map((trial) => lines.filter((l) => l.data.trial_id === trial.trial_id));
  const ofTrials = new Set(templates.flat());
  const first = lines.findIndex((l) => ofTrials.has(l));
  const last = lines.findLastIndex((l) => ofTrials.has(l));
  const runId = uuid(`run ${seed}`);

  // The first copy of each is the recorded one, so that what is said of builds and checks still holds.
  const competing = Array.from({ length: entries }, (_, i) => {
    const of = recorded.entries[i % recorded.entries.length] as Entry;
    const copy = Math.floor(i / recorded.entries.length);
    if (copy === 0) return { ...of, baseline: i === 0 };
    const label = `${of.label} ${copy + 1}`;
    return { ...of, label, key: sha256(label), baseline: false };
  });
  const planned: (Trial & { of: number })[] = [];
  for (let block = 0; block < blocks; block += 1) {
    const order = competing
      .map((_, i) => i)
      .sort((a, b) => drawn(`${seed} ${block} ${a}`) - drawn(`${seed} ${block} ${b}`));
    order.forEach((of, position) => {
      const trial = recorded.trials[of % recorded.trials.length] as Trial;
      const entry = competing[of] as Entry;
      planned.push({
        ...trial,
        trial_id: uuid(`${seed} ${block} ${of}`),
        entry_key: entry.key,
        block,
        position,
        of,
      });
    });
  }

  const written: string[] = [];
  const next = { journal: 0, raw: 0 };
  const write = (line: Line) => {
    const stream = line.kind === "raw" ? "raw" : "journal";
    written.push(JSON.stringify({ ...line, seq: next[stream] }));
    next[stream] += 1;
  };
  const spec = (of: Record<string, unknown>) => ({
    ...of,
    title: `${planned.length} trials`,
    entries: competing.map(({ label }, i) => ({
      ...((of.entries as object[])[i % (of.entries as object[]).length] as object),
      label,
    })),
    baseline: competing[0]?.label,
    repeats: blocks,
  });
  const ended = (l: Line) => ({
    ...l.data,
    status: "succeeded",
    error: null,
    trials_valid: planned.length,
    trials_invalid: 0,
  });
  for (const line of lines.slice(0, first)) {
    if (line.kind === "begin") {
      const ids = { run_id: runId, attempt_id: uuid(`attempt ${seed}`), attempt_no: 1 };
      write({
        ...line,
        data: { ...line.data, ...ids, spec: spec(line.data.spec as Record<string, unknown>) },
      });
    } else if (line.kind === "plan") {
      const blocksOf = { least: blocks, most: blocks, looks: [blocks], precision: null };
      const trials = planned.map(({ of: _, ...trial }) => trial);
      write({ ...line, data: { ...line.data, entries: competing, trials, blocks: blocksOf, reserve: [] } });
    } else write(line);
  }
  let at = lines[first]?.t_us ?? 0;
  for (const trial of planned) {
    const i = trial.of % templates.length;
    const template = templates[i] as Line[];
    const from = recorded.trials[i] as Trial;
    const ids = new Map([
      [from.trial_id, trial.trial_id],
      [from.entry_key, trial.entry_key],
    ]);
    const shift = at - (template[0]?.t_us ?? 0);
    for (const line of template) {
      const copy = moved(line, shift, ids);
      at = copy.t_us;
      write(line.kind === "trial" ? { ...copy, data: measured(copy.data, trial, seed) } : copy);
    }
    at += 1000;
  }
  const shift = at - (lines[last]?.t_us ?? 0);
  for (const line of lines.slice(last + 1)) {
    const copy = moved(line, shift, new Map());
    write(line.kind === "result" ? { ...copy, data: ended(copy) } : copy);
  }
  return { runId, text: `${written.join("\n")}\n`, trials: planned.length };
}

/** What a trial came to, a little different each time. */
function measured(data: Record<string, unknown>, trial: Trial, seed: number): Record<string, unknown> {
  const result = data.result as { requests_per_s: number } | null;
  const factor = 0.97 + 0.06 * drawn(`${seed} ${trial.trial_id}`);
  return {
    ...data,
    block: trial.block,
    position: trial.position,
    status: "valid",
    reasons: [],
    result: result && { ...result, requests_per_s: result.requests_per_s * factor },
  };
}
