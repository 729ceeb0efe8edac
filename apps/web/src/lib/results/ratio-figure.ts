import { bare, countedOf, rankedMetric, type Words } from "@rigmark/messages";
import type { EntryChange } from "@rigmark/results/match-series";
import { rankingOf, signOf } from "@rigmark/results/ranking";
import type { IntervalRow } from "@/components/chart/chart-data";
import type { Row } from "@/components/chart/table-model";
import { once } from "../once";
import { styleAt } from "../series-style";
import { plainLine } from "../text";
import { type CellCompared, type Compared, hasBaseline, type ScenarioCompared } from "./compared";
import { changesInWords } from "./entry-changes";
import type { Figure } from "./main-figure";
import { ratioCell } from "./ratio-cell";

/** The ratios of a scenario to the baselines of their runs, with their intervals: series by series, run by run. */
export function ratioFigure(
  w: Words,
  { hosts, series, changed }: Compared,
  scenario: ScenarioCompared,
): Figure {
  const title = w.title(plainLine(scenario.title));
  const metric = rankedMetric(w, scenario.metric, scenario.load.kind).title;
  const lines = series.flatMap((name, place) => {
    const label = plainLine(name);
    return scenario.rows.flatMap(({ run, cells }) => {
      const cell = cells[place];
      const shown = once(() => ratioCell(w, scenario.metric, cells, place, changed[place]?.[run]));
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
        bound: signOf(line.cell),
        note: besideRatio(w, line.cell, changed[line.place]?.[line.run]),
        get figure() {
          const { ratio, interval } = line.shown();
          return interval ? `${ratio} (${interval})` : ratio;
        },
        get reason() {
          const { words, doubt } = line.shown();
          return doubt ? `${words}: ${doubt}` : words;
        },
        get text() {
          const { ratio, interval, words, doubt, changed: other } = line.shown();
          return `${named(line)}: ${[ratio, interval, words, doubt, other].filter(Boolean).join(", ")}`;
        },
      }),
    );
  const ranking = rankingOf(scenario.metric);
  const tableRows = once(() =>
    lines.map(({ run, place, label, cell, shown }): Row => {
      const { ratio, interval, figure, words, doubt, changed: other } = shown();
      return {
        key: `${run} ${place}`,
        style: styleAt(place),
        cells: [
          { text: label, note: other },
          { text: String(run + 1) },
          { text: figure ?? "–" },
          { text: ratio },
          { text: interval ?? "–" },
          { text: words, note: doubt },
        ],
        csv: [
          label,
          run + 1,
          plainLine(hosts[run] ?? ""),
          cell.median,
          ranking.boundOf(cell) ?? "",
          cell.ratio?.estimate ?? null,
          cell.ratio?.low ?? null,
          cell.ratio?.high ?? null,
          signOf(cell) ?? "",
          cell.verdict ?? "",
          bare(doubt ?? ""),
          (changed[place]?.[run] ?? []).join(" "),
        ],
      };
    }),
  );
  return {
    title,
    summary: w.sentences([
      `${metric}, as a ratio to the baseline of each run, with its 95 % interval.`,
      ranking.moreIsBetter ? "Right of 1 is better." : "Left of 1 is better.",
      rows.some((row) => row.ratio && row.bound) &&
        "An arrow: the tool was the bottleneck, so the interval is open on that side.",
    ]),
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
      csv: [
        ...["entry", "run", "host", ranking.csv, "bound"],
        ...["ratio", "low", "high", "ratio_bound", "verdict", "why", "changed"],
      ],
      get rows() {
        return tableRows();
      },
    },
    empty: rows.some((row) => row.ratio)
      ? null
      : "No entry has a ratio to a baseline here; the table has the reasons.",
  };
}

/** What a ratio must not stand without, where there is little room. */
const besideRatio = (
  w: Words,
  { not_sustained, partly }: CellCompared,
  changed: readonly EntryChange[] | undefined,
): string | null =>
  w.join([
    not_sustained ? w.t("figure.rateNotSustained") : partly && countedOf(w, partly),
    changesInWords(w, changed),
  ]) || null;
