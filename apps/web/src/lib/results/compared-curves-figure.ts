import type { Words } from "@rigmark/messages";
import type { ComparedCurves } from "@rigmark/results";
import { latencyBound } from "@rigmark/results/ranking";
import type { PercentileLine } from "@/components/chart/chart-data";
import type { Row } from "@/components/chart/table-model";
import { type SeriesStyle, styleAt, styleInRun } from "../series-style";
import { plainLine } from "../text";
import type { Compared, ScenarioCompared } from "./compared";
import { aboutLoad, csvName } from "./curve-figure";
import { changesInWords } from "./entry-changes";
import type { Figure } from "./main-figure";
import { phrase } from "./shape";

/** Where a line has a point, and the table a column. */
const MARKS = [50, 90, 99, 99.9, 99.99];
/** As many as the chart has room for their names; readers choose of which entries, and the table has them all. */
const MOST_LINES = 16;
/** More reasons than these say nothing new. */
const MOST_REASONS = 3;

/** The chart, and which line is which: at their ends the names are cut where there is no room. */
export interface ComparedCurvesFigure extends Figure {
  legend: { key: string; name: string; style: SeriesStyle; changed: string | null }[];
}

interface Line {
  key: string;
  name: string;
  run: number;
  /** Of the series. */
  place: number;
  curve: ComparedCurves["runs"][number][number];
  bound: ReturnType<typeof latencyBound>;
}

const curveIn = (curves: ComparedCurves, scenario: ScenarioCompared, run: number, key: string | undefined) =>
  curves.runs[run]?.find((each) => each.scenario === scenario.scenario && each.entry_key === key);

/** Names of the entries that have a line under any of the scenarios, each once. */
export const namesWithCurves = ({ series, scenarios }: Compared, curves: ComparedCurves): string[] => [
  ...new Set(
    series.flatMap((name, place) =>
      scenarios.some((scenario) =>
        scenario.rows.some(({ run, cells }) => curveIn(curves, scenario, run, cells[place]?.entry_key)),
      )
        ? [plainLine(name)]
        : [],
    ),
  ),
];

/**
 * The latency percentiles of a scenario, each entry in each run over the others; null where no run has any. Lines are drawn of
 * the entries with a name in `chosen`; where there is none, of all.
 */
export function comparedCurvesFigure(
  w: Words,
  { hosts, series, changed }: Compared,
  scenario: ScenarioCompared,
  curves: ComparedCurves,
  chosen: readonly string[] = [],
): ComparedCurvesFigure | null {
  const lines = series.flatMap((name, place) =>
    scenario.rows.flatMap(({ run, cells }): Line[] => {
      const cell = cells[place];
      const curve = curveIn(curves, scenario, run, cell?.entry_key);
      if (!cell || !curve) return [];
      const label = plainLine(name);
      const named = hosts.length > 1 ? `${label}, run ${run + 1}` : label;
      return [
        {
          ...{ key: `${run} ${place}`, name: named, run, place, curve },
          bound: latencyBound(cell),
        },
      ];
    }),
  );
  if (lines.length === 0) return null;
  const title = w.title(plainLine(scenario.title));
  const ranks = scenario.load.kind === "rate";
  const steps = MARKS.filter((p) => lines.some(({ curve }) => curve.points.some((point) => point.p === p)));
  // A percentile that counts in no trial has no point: the rate was not sustained, or there were too few requests.
  const counting = lines.filter(({ curve }) => curve.points.length > 0);
  const whyNot = ({ curve }: Line) =>
    curve.points.length > 0 ? null : (phrase(w, curve.note, curve.note_zh) ?? w.t("figure.tooFewRequests"));
  const picked = counting
    .filter(({ place }) => chosen.length === 0 || chosen.includes(plainLine(series[place] ?? "")))
    .slice(0, MOST_LINES);
  const looks = new Set(picked.map(({ place, run }) => lookOf(styleInRun(place, run))));
  const ownStyles = looks.size < picked.length;
  const drawn = picked.map((line, index) => ({
    ...line,
    style: ownStyles ? styleAt(index) : styleInRun(line.place, line.run),
  }));
  const styles = new Map(drawn.map(({ key, style }) => [key, style]));
  const names = new Set(counting.map(({ place }) => plainLine(series[place] ?? "")));
  const nameOf = ({ name, bound }: Line) => (bound ? `${name} (${bound})` : name);
  const changedOf = ({ place, run }: Line) => changed[place]?.[run] ?? [];
  return {
    title,
    summary: w.sentences([
      "All valid trials of an entry in a run together.",
      ownStyles
        ? "Each line has its own combination of color, dash and point."
        : "Colors are entries, dashes and points are runs.",
      drawn.length < counting.length &&
        w.t("figure.compared.drawn", { drawn: drawn.length, all: counting.length }),
      drawn.length < counting.length && names.size > 1 && w.t("figure.compared.choose"),
      aboutLoad(w, scenario.load.kind),
    ]),
    chart: {
      kind: "percentiles",
      lines: drawn.map(
        (line): PercentileLine => ({
          ...{ key: line.key, name: nameOf(line), style: line.style },
          points: line.curve.points.map(({ p, us }) => ({
            ...{ p, us, minor: !MARKS.includes(p), rankable: ranks },
            text: w.bound(us, "us", line.bound),
          })),
        }),
      ),
    },
    legend: drawn.map((line) => ({
      ...{ key: line.key, name: nameOf(line), style: line.style },
      changed: changesInWords(w, changedOf(line)),
    })),
    table: {
      caption: `${title}: latency percentiles, run by run`,
      columns: [{ title: "entry" }, ...steps.map((p) => ({ title: `p${p}`, align: "right" as const }))],
      csv: [
        ...["entry", "run", "host", "load", "bound"],
        ...MARKS.map((p) => `latency_p${csvName(p)}_us`),
        ...["requests", "trials", "changed"],
      ],
      rows: lines.map((line): Row => {
        const { key, name, run, curve, bound } = line;
        const at = (p: number) => curve.points.find((point) => point.p === p)?.us ?? null;
        return {
          key,
          // What is not drawn has no sign.
          style: styles.get(key),
          cells: [
            { text: name, note: w.join([changesInWords(w, changedOf(line)), whyNot(line)]) },
            ...steps.map((p) => ({ text: w.bound(at(p), "us", bound) })),
          ],
          csv: [
            ...[name, run + 1, plainLine(hosts[run] ?? ""), scenario.load.kind, bound ?? ""],
            ...[...MARKS.map(at), curve.count, curve.trials],
            changedOf(line).join(" "),
          ],
        };
      }),
    },
    empty:
      drawn.length > 0
        ? null
        : counting.length > 0
          ? w.t("figure.compared.noneOfChosen")
          : w.t("figure.compared.noneCounts", {
              why: [...new Set(lines.map((line) => `${line.name}: ${whyNot(line)}`))]
                .slice(0, MOST_REASONS)
                .join("; "),
            }),
  };
}

/** What tells a line from another. Styles by entry and run come again after eight of each. */
const lookOf = ({ hue, shape }: SeriesStyle): string => `${hue} ${shape}`;
