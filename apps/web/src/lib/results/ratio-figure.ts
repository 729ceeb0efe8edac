import { rankedMetric, type Words } from "@rigmark/messages";
import { rankingOf } from "@rigmark/results/ranking";
import type { IntervalRow } from "@/components/chart/chart-data";
import type { Row } from "@/components/chart/table-model";
import { once } from "../once";
import { styleAt } from "../series-style";
import { plainLine } from "../text";
import { type Compared, hasBaseline, type ScenarioCompared } from "./compared";
import type { Figure } from "./main-figure";
import { ratioCell } from "./ratio-cell";

/** The ratios of a scenario to the baselines of their runs, with their intervals: series by series, run by run. */
export function ratioFigure(w: Words, { hosts, series }: Compared, scenario: ScenarioCompared): Figure {
  const title = w.title(plainLine(scenario.title));
  const metric = rankedMetric(w, scenario.metric, scenario.load.kind).title;
  const lines = series.flatMap((name, place) => {
    const label = plainLine(name);
    return scenario.rows.flatMap(({ run, cells }) => {
      const cell = cells[place];
      const shown = once(() => ratioCell(w, scenario.metric, cells, place));
      return cell ? [{ cell, cells, run, place, label, shown }] : [];
    });
  });
  const named = (line: (typeof lines)[number]) =>
    hosts.length > 1 ? `${line.label}, run ${line.run + 1}` : line.label;
  const rows = lines
    .filter(({ cell, cells }) => !cell.baseline && hasBaseline(cells))
    .map(
      (line): IntervalRow => ({
        key: `${line.run} ${line.place}`,
        name: named(line),
        style: styleAt(line.place),
        ratio: line.cell.ratio,
        note: null,
        get figure() {
          const { ratio, interval } = line.shown();
          return interval ? `${ratio} (${interval})` : ratio;
        },
        get reason() {
          return line.shown().words;
        },
        get text() {
          const { ratio, interval, words } = line.shown();
          return `${named(line)}: ${[ratio, interval, words].filter(Boolean).join(", ")}`;
        },
      }),
    );
  const { csv } = rankingOf(scenario.metric);
  const tableRows = once(() =>
    lines.map(({ run, place, label, cell, shown }): Row => {
      const { ratio, interval, figure, words } = shown();
      return {
        key: `${run} ${place}`,
        style: styleAt(place),
        cells: [
          { text: label },
          { text: String(run + 1) },
          { text: figure ?? "–" },
          { text: ratio },
          { text: interval ?? "–" },
          { text: words },
        ],
        csv: [
          label,
          run + 1,
          plainLine(hosts[run] ?? ""),
          cell.median,
          cell.ratio?.estimate ?? null,
          cell.ratio?.low ?? null,
          cell.ratio?.high ?? null,
          cell.verdict ?? "",
        ],
      };
    }),
  );
  return {
    title,
    summary: `${metric}, as a ratio to the baseline of each run, with its 95 % interval. ${
      rankingOf(scenario.metric).moreIsBetter ? "Right of 1 is better." : "Left of 1 is better."
    }`,
    chart: { kind: "intervals", rows, axisTitle: "ratio to the baseline" },
    table: {
      caption: `${title}: ratios to the baseline of each run`,
      columns: [
        { title: "entry" },
        { title: "run", align: "right" },
        { title: metric, align: "right" },
        { title: "ratio", align: "right" },
        { title: "interval", align: "right" },
        { title: "verdict", wrap: true },
      ],
      csv: ["entry", "run", "host", csv, "ratio", "low", "high", "verdict"],
      get rows() {
        return tableRows();
      },
    },
    empty: rows.some((row) => row.ratio)
      ? null
      : "No entry has a ratio to a baseline here; the table has the reasons.",
  };
}
