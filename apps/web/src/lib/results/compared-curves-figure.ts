import type { Words } from "@rigmark/messages";
import type { ComparedCurves } from "@rigmark/results";
import { latencyBound } from "@rigmark/results/ranking";
import type { PercentileLine } from "@/components/chart/chart-data";
import type { Row } from "@/components/chart/table-model";
import { HUES, type SeriesStyle, styleAt, styleInRun } from "../series-style";
import { plainLine } from "../text";
import type { Compared, ScenarioCompared } from "./compared";
import { aboutLoad, csvName } from "./curve-figure";
import type { Figure } from "./main-figure";

/** Where a line has a point, and the table a column. */
const MARKS = [50, 90, 99, 99.9, 99.99];
/** As many as the chart has room for their names; the table has them all. */
const MOST_LINES = 16;

interface Line {
  key: string;
  name: string;
  run: number;
  /** Of the series. */
  place: number;
  curve: ComparedCurves["runs"][number][number];
  bound: ReturnType<typeof latencyBound>;
}

/** The latency percentiles of a scenario, each entry in each run over the others; null where no run has any. */
export function comparedCurvesFigure(
  w: Words,
  { hosts, series }: Compared,
  scenario: ScenarioCompared,
  curves: ComparedCurves,
): Figure | null {
  const lines = series.flatMap((name, place) =>
    scenario.rows.flatMap(({ run, cells }): Line[] => {
      const cell = cells[place];
      const curve = curves.runs[run]?.find(
        (each) => each.scenario === scenario.scenario && each.entry_key === cell?.entry_key,
      );
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
  const drawn = lines.slice(0, MOST_LINES);
  const ownStyles = drawn.some(({ place, run }) => place >= HUES || run >= HUES);
  const styleOf = ({ place, run }: Line, index: number): SeriesStyle =>
    ownStyles ? styleAt(index) : styleInRun(place, run);
  return {
    title,
    summary: w.sentences([
      "All valid trials of an entry in a run together.",
      ownStyles
        ? "Each line has its own combination of color, dash and point."
        : "Colors are entries, dashes and points are runs.",
      lines.length > MOST_LINES &&
        `The first ${MOST_LINES} of ${lines.length} lines are drawn; the table has all.`,
      aboutLoad(w, scenario.load.kind),
    ]),
    chart: {
      kind: "percentiles",
      lines: drawn.map((line, index): PercentileLine => {
        const { key, name, curve, bound } = line;
        return {
          ...{ key, name: bound ? `${name} (${bound})` : name, style: styleOf(line, index) },
          points: curve.points.map(({ p, us }) => ({
            ...{ p, us, minor: !MARKS.includes(p), rankable: ranks },
            text: w.bound(us, "us", bound),
          })),
        };
      }),
    },
    table: {
      caption: `${title}: latency percentiles, run by run`,
      columns: [{ title: "entry" }, ...steps.map((p) => ({ title: `p${p}`, align: "right" as const }))],
      csv: [
        ...["entry", "run", "host", "load", "bound"],
        ...MARKS.map((p) => `latency_p${csvName(p)}_us`),
        ...["requests", "trials"],
      ],
      rows: lines.map((line, index): Row => {
        const { key, name, run, curve, bound } = line;
        const at = (p: number) => curve.points.find((point) => point.p === p)?.us ?? null;
        return {
          key,
          // What is not drawn has no sign.
          style: index < MOST_LINES ? styleOf(line, index) : undefined,
          cells: [{ text: name }, ...steps.map((p) => ({ text: w.bound(at(p), "us", bound) }))],
          csv: [
            ...[name, run + 1, plainLine(hosts[run] ?? ""), scenario.load.kind, bound ?? ""],
            ...[...MARKS.map(at), curve.count, curve.trials],
          ],
        };
      }),
    },
    empty: null,
  };
}
