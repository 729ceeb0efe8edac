import type { ComparedCell, ComparedScenario, ComparisonView } from "@rigmark/results";
import type { EntryChange } from "@rigmark/results/match-series";
import type { ShownFigure } from "./cell-figure";

/**
 * What of a comparison tables and figures are made of in the browser. They are not sent ready with the page: their
 * elements, captions and rows are five times as large.
 */
export interface Compared {
  /** Names of the hosts, run by run. */
  hosts: string[];
  series: string[];
  /** Series by series, run by run: what of the entry is not as in the first run that has it. */
  changed: EntryChange[][][];
  scenarios: ScenarioCompared[];
}

export type ScenarioCompared = Pick<ComparedScenario, "scenario" | "title" | "load" | "metric"> & {
  rows: { run: number; cells: (CellCompared | null)[] }[];
};

/** What a figure that the reader chooses is read from. */
type ReadFrom = Extract<
  keyof ComparedCell,
  "trials_valid" | "requests_per_s" | "percentiles" | "cpu_us_per_request" | "no_cpu_code" | "rss_peak_bytes"
>;

export type CellCompared = Omit<ComparedCell, "sentence" | "unranked_code" | "figure" | ReadFrom> & {
  /** Of what ranks there, in the metric's unit. */
  median: number | null;
  /** Why it is not comparable; null where it is. */
  sentence: string | null;
  /** In place of the median, where the reader chose another figure. */
  chosen?: ShownFigure;
};

type Choose = (cell: ComparedCell, metric: ComparedScenario["metric"]) => ShownFigure;

export const comparedIn = ({ runs, series, scenarios }: ComparisonView, choose?: Choose): Compared => ({
  hosts: runs.map((run) => run.host.name),
  series: series.map(({ name }) => name),
  changed: series.map(({ changed }) => changed),
  scenarios: scenarios.map(({ scenario, title, load, metric, rows }) => ({
    ...{ scenario, title, load, metric },
    rows: rows.map(({ run, cells }) => ({
      run,
      cells: cells.map(
        (cell) => cell && { ...cellOf(cell), ...(choose && { chosen: choose(cell, metric) }) },
      ),
    })),
  })),
});

const cellOf = ({
  sentence,
  unranked_code,
  figure,
  trials_valid,
  requests_per_s,
  percentiles,
  cpu_us_per_request,
  no_cpu_code,
  rss_peak_bytes,
  ...cell
}: ComparedCell): CellCompared => ({
  ...cell,
  median: figure?.median ?? null,
  sentence: cell.verdict === "not-comparable" ? sentence : null,
});

/** Whether the run of a row has the entry that its others are compared with. */
export const hasBaseline = (cells: readonly ({ baseline: boolean } | null)[]): boolean =>
  cells.some((cell) => cell?.baseline);
