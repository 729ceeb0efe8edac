import { unrankedShort, type Words } from "@rigmark/messages";
import type { Latency, Scenario } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { latencyBound, untilFirstByte } from "@rigmark/results/ranking";
import type { Cell, TableModel } from "@/components/chart/table-model";
import type { SeriesStyle } from "../series-style";
import { loadLabel, timeInWords } from "./curve-figure";
import { type ResultRun, rankedEntries, trialsOf } from "./shape";

const FIELDS = ["mean_us", "stdev_us", "min_us", "max_us"] as const;
type Field = (typeof FIELDS)[number];
/** The delay of a tool at its limit is in each time; how far times lie apart may grow by it or shrink. */
const boundable = (id: Field): boolean => id !== "stdev_us";

/** What a tool never prints; of the rest the agent leaves out what came in steps coarser than a 20th of itself. */
const NEVER: Partial<Record<Scenario["tool"], readonly Field[]>> = { k6: ["stdev_us"] };

const latenciesOf = (trials: readonly TrialView[]): Latency[] =>
  trials.flatMap((t) => (t.state === "valid" && t.result?.latency ? [t.result.latency] : []));

/** What published reports print beside a rate. Null where no valid trial has any of it. */
export function printedLatency(
  w: Words,
  run: Pick<ResultRun, "entries" | "scenarios" | "trials" | "summary">,
  scenario: string,
  styles: Map<string, SeriesStyle>,
): { summary: string; table: TableModel } | null {
  const of = run.scenarios.find((s) => s.id === scenario);
  if (!of) return null;
  const load = of.load.kind;
  const rows = rankedEntries(run, scenario).map((ranked) => {
    const all = latenciesOf(trialsOf(run, scenario, ranked.entry.key));
    const bound = latencyBound(ranked.summary);
    const figures = FIELDS.map((id) => {
      const found = ranked.summary?.tool_latency[id];
      return { id, us: found?.median ?? null, n: found?.n ?? 0 };
    });
    return { ...ranked, valid: ranked.summary?.trials_valid ?? 0, all, bound, figures };
  });
  if (!rows.some((r) => r.figures.some((f) => f.us !== null))) return null;
  return {
    summary: summaryOf(w, of, run, rows),
    table: {
      caption: w.t("figure.printedCaption"),
      columns: [
        { title: w.t("figure.entry"), term: "entry" },
        ...FIELDS.map((id) => ({
          title: w.t(`figure.printed.${id}`),
          align: "right" as const,
          note: w.t("figure.printedNote", { load: loadLabel(w, load) }),
          hint: w.t("figure.printedHint", {
            meaning:
              id === "mean_us" ? w.metric("latency_mean_us").meaning : w.t(`figure.printedHints.${id}`),
          }),
        })),
      ],
      csv: [
        "entry",
        "load",
        "corrected",
        "mean_min_max_bound",
        ...FIELDS.flatMap((id) => [id, `${id}_trials`]),
      ],
      rows: rows.map(({ entry, name, summary, valid, all, bound, figures }) => ({
        key: entry.key,
        style: styles.get(entry.key),
        cells: [
          { text: name, note: valid === 0 ? w.t("figure.noValidTrial") : unrankedShort(w, summary) },
          ...figures.map(
            ({ id, us, n }): Cell => ({
              text: w.bound(us, "us", boundable(id) ? bound : null),
              note: n > 0 && n < valid ? w.t("figure.printedTrials", { n, all: valid }) : null,
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

function summaryOf(w: Words, of: Scenario, run: Pick<ResultRun, "trials">, rows: readonly Printed[]): string {
  const { tool, load } = of;
  const lacking = FIELDS.filter((id) =>
    rows.some((r) => r.valid > 0 && r.figures.some((f) => f.id === id && f.n < r.valid)),
  );
  const named = (id: Field): string => w.t(`figure.printedWords.${id}`);
  const never = lacking.filter((id) => NEVER[tool]?.includes(id)).map(named);
  const coarse = lacking.filter((id) => !NEVER[tool]?.includes(id)).map(named);
  const corrected = correctedIn(rows.flatMap((r) => r.all));
  const several = run.trials.some(
    (t) => t.scenario === of.id && (t.single_shot !== null || t.done_slices.length > 1),
  );
  return w.sentences([
    w.t("figure.printedSummary", {
      time: timeInWords(w, untilFirstByte(of)),
      load: loadLabel(w, load.kind),
    }),
    corrected !== null && w.t(corrected ? "figure.printedCorrected" : "figure.printedNotCorrected", { tool }),
    tool === "loadgen" && (load.kind === "rate" || load.kind === "knee") && w.t("figure.printedDue"),
    several && w.t("figure.printedSeveral"),
    never.length > 0 && w.t("figure.printedNever", { tool, fields: w.join(never) }),
    coarse.length > 0 &&
      w.t(never.length > 0 ? "figure.printedCoarseAlso" : "figure.printedCoarse", {
        tool,
        fields: w.join(coarse),
      }),
  ]);
}
