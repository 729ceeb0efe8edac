import { rankedMetric, type Words } from "@rigmark/messages";
import { rankingOf } from "@rigmark/results/ranking";
import type { IntervalRow } from "@/components/chart/chart-data";
import type { Row } from "@/components/chart/table-model";
import { styleAt } from "../series-style";
import { plainLine } from "../text";
import { type Compared, hasBaseline, type ScenarioCompared } from "./compared";
import type { Figure } from "./main-figure";
import { ratioCell } from "./ratio-cell";

/** The ratios of a scenario to the baselines of their runs, with their intervals: series by series, run by run. */
export function ratioFigure(w: Words, { hosts, series }: Compared, scenario: ScenarioCompared): Figure {
  const title = w.title(plainLine(scenario.title));
  const metric = rankedMetric(w, scenario.metric, scenario.load.kind).title;
  const lines = series.flatMap((name, place) =>
    scenario.rows.flatMap((row) => {
      const cell = row.cells[place];
      return cell ? [{ cell, cells: row.cells, run: row.run, place, label: plainLine(name) }] : [];
    }),
  );
  const named = (line: (typeof lines)[number]) =>
    hosts.length > 1 ? `${line.label}, run ${line.run + 1}` : line.label;
  const rows = lines
    .filter(({ cell, cells }) => !cell.baseline && hasBaseline(cells))
    .map((line): IntervalRow => {
      const shown = ratioCell(w, scenario.metric, line.cells, line.place);
      return {
        key: `${line.run} ${line.place}`,
        name: named(line),
        style: styleAt(line.place),
        ratio: line.cell.ratio,
        figure: shown.interval ? `${shown.ratio} (${shown.interval})` : shown.ratio,
        note: null,
        reason: shown.words,
        text: `${named(line)}: ${[shown.ratio, shown.interval, shown.words].filter(Boolean).join(", ")}`,
      };
    });
  const { csv } = rankingOf(scenario.metric);
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
      rows: lines.map((line): Row => {
        const shown = ratioCell(w, scenario.metric, line.cells, line.place);
        const { ratio, median, verdict } = line.cell;
        return {
          key: `${line.run} ${line.place}`,
          style: styleAt(line.place),
          cells: [
            { text: line.label },
            { text: String(line.run + 1) },
            { text: shown.figure ?? "–" },
            { text: shown.ratio },
            { text: shown.interval ?? "–" },
            { text: shown.words },
          ],
          csv: [
            line.label,
            line.run + 1,
            plainLine(hosts[line.run] ?? ""),
            median,
            ratio?.estimate ?? null,
            ratio?.low ?? null,
            ratio?.high ?? null,
            verdict ?? "",
          ],
        };
      }),
    },
    empty: rows.some((row) => row.ratio)
      ? null
      : "No entry has a ratio to a baseline here; the table has the reasons.",
  };
}
