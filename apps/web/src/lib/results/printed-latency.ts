import { formatBound, METRICS } from "@rigmark/metrics";
import type { Latency, Scenario } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { unrankedInShort, untilFirstByte } from "@rigmark/results/ranking";
import type { Cell, TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { LOAD_LABEL, timeInWords, usBound } from "./curve-figure";
import { type ResultRun, rankedEntries, trialsOf } from "./shape";

const FIELDS = [
  { id: "mean_us", title: "Mean", words: "mean", hint: METRICS.latency_mean_us.meaning },
  {
    id: "stdev_us",
    title: "Standard deviation",
    words: "standard deviation",
    hint: "Of the requests of a trial around their mean; not of the trials.",
  },
  { id: "min_us", title: "Min", words: "minimum", hint: "Of the request of a trial that took least." },
  { id: "max_us", title: "Max", words: "maximum", hint: "Of the request of a trial that took most." },
] as const;
type Field = (typeof FIELDS)[number]["id"];
/** The delay of a tool at its limit is in each time; how far times lie apart may grow by it or shrink. */
const boundable = (id: Field): boolean => id !== "stdev_us";

/** What a tool never prints; of the rest the agent leaves out what came in steps coarser than a 20th of itself. */
const NEVER: Partial<Record<Scenario["tool"], readonly Field[]>> = { k6: ["stdev_us"] };

/** Of an even number the lower of the two in the middle, as percentiles are: one that was observed. */
const middle = (values: number[]): number | null =>
  values.sort((a, b) => a - b)[(values.length - 1) >> 1] ?? null;

const latenciesOf = (trials: readonly TrialView[]): Latency[] =>
  trials.flatMap((t) => (t.state === "valid" && t.result?.latency ? [t.result.latency] : []));

/** What published reports print beside a rate. Null where no valid trial has any of it. */
export function printedLatency(
  run: Pick<ResultRun, "entries" | "scenarios" | "trials" | "summary">,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): { summary: string; table: TableModel } | null {
  const of = run.scenarios.find((s) => s.id === scenario);
  if (!of) return null;
  const load = of.load.kind;
  const rows = rankedEntries(run, scenario).map((ranked) => {
    const trials = trialsOf(run, scenario, ranked.entry.key);
    const all = latenciesOf(trials);
    const bound = usBound(ranked, load);
    const figures = FIELDS.map(({ id }) => {
      const values = all.flatMap((l) => l[id] ?? []);
      return { id, us: middle(values), n: values.length };
    });
    return { ...ranked, valid: trials.filter((t) => t.state === "valid").length, all, bound, figures };
  });
  if (!rows.some((r) => r.figures.some((f) => f.us !== null))) return null;
  return {
    summary: summaryOf(of, run, rows),
    table: {
      caption: "Latency as the tool printed it, median of trials",
      columns: [
        { title: "Entry", term: "entry" },
        ...FIELDS.map(({ title, hint }) => ({
          title,
          align: "right" as const,
          note: `${LOAD_LABEL[load]}: not ranked`,
          hint: `${hint} Median of trials.`,
        })),
      ],
      csv: [
        "entry",
        "load",
        "corrected",
        "mean_min_max_bound",
        ...FIELDS.flatMap(({ id }) => [id, `${id}_trials`]),
      ],
      rows: rows.map(({ entry, name, summary, valid, all, bound, figures }) => ({
        key: entry.key,
        style: styles.get(entry.key),
        cells: [
          { text: name, note: valid === 0 ? "no valid trial" : unrankedInShort(summary) },
          ...figures.map(
            ({ id, us, n }): Cell => ({
              text: formatBound(us, "us", boundable(id) ? bound : null),
              note: n > 0 && n < valid ? `${n} of ${valid} trials` : null,
            }),
          ),
        ],
        csv: [name, load, correctedIn(all) ?? "", bound ?? "", ...figures.flatMap(({ us, n }) => [us, n])],
      })),
    },
  };
}

const correctedIn = (all: readonly Latency[]): boolean | null =>
  all.length === 0 || all.some((l) => l.corrected !== all[0]?.corrected) ? null : (all[0]?.corrected ?? null);

interface Printed {
  valid: number;
  all: Latency[];
  figures: { id: Field; n: number }[];
}

function summaryOf(of: Scenario, run: Pick<ResultRun, "trials">, rows: readonly Printed[]): string {
  const { tool, load } = of;
  const lacking = FIELDS.filter(({ id }) =>
    rows.some((r) => r.valid > 0 && r.figures.some((f) => f.id === id && f.n < r.valid)),
  );
  const never = lacking.filter(({ id }) => NEVER[tool]?.includes(id)).map((f) => f.words);
  const coarse = lacking.filter(({ id }) => !NEVER[tool]?.includes(id)).map((f) => f.words);
  const corrected = correctedIn(rows.flatMap((r) => r.all));
  const several = run.trials.some(
    (t) => t.scenario === of.id && (t.single_shot !== null || t.done_slices.length > 1),
  );
  return [
    `${timeInWords(untilFirstByte(of))}, each figure the median of those of the valid trials, ${LOAD_LABEL[load.kind]}: not ranked.`,
    corrected === null
      ? null
      : corrected
        ? `Corrected by ${tool}: it added samples for requests that a slow response kept from being sent.`
        : `Not corrected: ${tool} added no samples for requests that it could not send.`,
    tool === "loadgen" && (load.kind === "rate" || load.kind === "knee")
      ? "Times begin when a request was due."
      : null,
    several ? "Of a trial of several runs of the tool they are of all its requests." : null,
    never.length > 0 ? `– where ${tool} does not print it: ${never.join(", ")}.` : null,
    coarse.length > 0
      ? `– ${never.length > 0 ? "also where it printed none here" : `where ${tool} does not print it`}, or only in steps coarser than a 20th of it: ${coarse.join(", ")}.`
      : null,
  ]
    .filter(Boolean)
    .join(" ");
}
