import type { Words } from "@rigmark/messages";
import type { LatencyCurve, TrialView } from "@rigmark/results";
import { latencyBound, untilFirstByte } from "@rigmark/results/ranking";
import type { RidgeRow } from "@/components/chart/chart-data";
import type { SeriesStyle } from "../series-style";
import {
  aboutLoad,
  boundName,
  csvName,
  loadLabel,
  percentilesInWords,
  type Ranked,
  timeInWords,
} from "./curve-figure";
import { densityOf } from "./density";
import type { Figure } from "./main-figure";
import { blockName, formatRange, type ResultRun, rankedEntries, trialsOf } from "./shape";

const STEPS = [10, 25, 50, 75, 90];
/** Beyond it there are so few requests that their shape is a line. */
const HIGHEST = 99.9;

const halfOf = ({ result }: TrialView): number | null =>
  result?.latency?.percentiles.find((x) => x.p === 50)?.us ?? null;

/** Where the latencies of each entry lie, and the medians of its trials. Null where the tool gives no histograms. */
export function distributionFigure(
  w: Words,
  run: ResultRun,
  scenario: string,
  styles: Map<string, SeriesStyle>,
  curves: readonly LatencyCurve[],
): Figure | null {
  const mine = new Map(
    curves.flatMap((c) =>
      c.scenario === scenario && c.points.length > 1 ? [[c.entry_key, c] as const] : [],
    ),
  );
  if (mine.size === 0) return null;
  const of = run.scenarios.find((s) => s.id === scenario);
  const load = of?.load.kind ?? "closed";
  const firstByte = untilFirstByte(of);
  const ranked = rankedEntries(run, scenario);
  const pointsOf = (r: Ranked) => (mine.get(r.entry.key)?.points ?? []).filter(({ p }) => p <= HIGHEST);
  const all = ranked.flatMap((r) => pointsOf(r).map(({ us }) => us));
  const decades = Math.log10(Math.max(...all) / Math.max(Math.min(...all), 0.1));
  const percentile = (r: Ranked, p: number) => mine.get(r.entry.key)?.points.find((x) => x.p === p)?.us;
  const medians = (r: Ranked) =>
    trialsOf(run, scenario, r.entry.key).flatMap((trial) => {
      const us = halfOf(trial);
      if (us === null || !(trial.state === "valid" || trial.state === "invalid")) return [];
      return [{ us, trial }];
    });
  const write = (r: Ranked, us: number | undefined) => w.bound(us, "us", latencyBound(r.summary));
  const rows = ranked.flatMap((r): RidgeRow[] => {
    const style = styles.get(r.entry.key);
    if (!style) return [];
    const median = percentile(r, 50) ?? null;
    return [
      {
        key: r.entry.key,
        name: boundName(r),
        style,
        shape: densityOf(pointsOf(r), decades),
        median,
        figure: median === null ? "" : w.t("figure.distribution.p50", { figure: write(r, median) }),
        reason: mine.has(r.entry.key) ? null : w.t("figure.noHistogram"),
        text: w.t("figure.distribution.stop", {
          name: r.name,
          p10: write(r, percentile(r, 10)),
          p50: write(r, percentile(r, 50)),
          p90: write(r, percentile(r, 90)),
        }),
        trials: medians(r).map(({ us, trial }) => ({
          value: us,
          name: blockName(w, trial.block),
          text: w.t("figure.distribution.p50", { figure: write(r, us) }),
          doubt: trial.state === "invalid" ? w.t("figure.invalid") : null,
        })),
      },
    ];
  });
  return {
    title: w.t("figure.distribution.title"),
    summary: w.sentences([
      w.t("figure.distribution.summary", { time: timeInWords(w, firstByte) }),
      aboutLoad(w, load),
    ]),
    chart: { kind: "ridges", rows },
    table: {
      caption: w.t("figure.curveCaption", { what: percentilesInWords(w, firstByte) }),
      columns: [
        { title: w.t("figure.entry"), term: "entry" },
        ...STEPS.map((p) => ({
          title: `p${p}`,
          align: "right" as const,
          note: w.t("figure.curveNote", { load: loadLabel(w, load) }),
        })),
        { title: w.t("figure.distribution.ofTrials"), align: "right", note: w.t("figure.medianNote") },
        { title: w.t("figure.requests"), align: "right", hint: w.t("figure.requestsHint") },
      ],
      csv: [
        "entry",
        "load",
        "bound",
        ...STEPS.map((p) => `latency_p${csvName(p)}_us_all_trials`),
        "trial_p50_us_min",
        "trial_p50_us_max",
        "requests",
        "trials",
      ],
      rows: ranked.map((r) => {
        const curve = mine.get(r.entry.key);
        const valid = medians(r).flatMap(({ us, trial }) => (trial.state === "valid" ? [us] : []));
        const [least, greatest] = valid.length > 0 ? [Math.min(...valid), Math.max(...valid)] : [];
        const known = least !== undefined && greatest !== undefined;
        return {
          key: r.entry.key,
          style: styles.get(r.entry.key),
          cells: [
            { text: r.name, note: curve ? null : w.t("figure.noHistogram") },
            ...STEPS.map((p) => ({ text: write(r, percentile(r, p)) })),
            { text: known ? formatRange(w, least, greatest, "us") : "–" },
            {
              text: w.quantity(curve?.count, "count"),
              note: curve ? w.t("figure.nTrials", { n: curve.trials }) : null,
            },
          ],
          csv: [
            r.name,
            load,
            latencyBound(r.summary) ?? "",
            ...STEPS.map((p) => percentile(r, p)),
            least,
            greatest,
            curve?.count,
            curve?.trials,
          ],
        };
      }),
    },
    empty: null,
  };
}
