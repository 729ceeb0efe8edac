import { countedOf, figureOf, type Words } from "@rigmark/messages";
import type { ComparedCell, ComparedScenario } from "@rigmark/results";
import { latencyBound, partlyCounts, rateBound } from "@rigmark/results/ranking";
import type { CellFigure } from "../compare-path";
import { noCostInWords } from "./cost-figure";
import { phrase } from "./shape";

export interface ShownFigure {
  /** With its unit; a dash where it is unknown. */
  figure: string;
  /** Why it is unknown, or that it does not count in every trial. */
  note: string | null;
}

/** What ranks is one of the figures, and the cell says anyway why it is unknown. */
const RANKS: Record<ComparedScenario["metric"], CellFigure> = {
  requests_per_s: "throughput",
  p99_us: "p99",
  cpu_us_per_request: "cpu",
  first_byte_p50_us: "p50",
};

/** How the figure that the reader chose is written in a cell. */
export const cellFigure =
  (w: Words, chosen: CellFigure) =>
  (cell: ComparedCell, metric: ComparedScenario["metric"]): ShownFigure => {
    const { figure, note } = READ[chosen](w, cell);
    const told = RANKS[metric] === chosen || cell.trials_valid === 0;
    return { figure, note: told ? null : note };
  };

const READ: Record<CellFigure, (w: Words, cell: ComparedCell) => ShownFigure> = {
  throughput: (w, cell) => ({
    figure: w.bound(cell.requests_per_s?.median, "per_s", rateBound(cell)),
    note: null,
  }),
  p50: (w, cell) => percentile(w, cell, 50),
  p99: (w, cell) => percentile(w, cell, 99),
  cpu: (w, { cpu_us_per_request: cpu, no_cpu_code: why }) =>
    cpu
      ? { figure: figureOf(w, "cpu_us_per_request", w.quantity(cpu.median, "us")), note: null }
      : { figure: w.quantity(null, "us"), note: why && noCostInWords(w, why) },
  memory: (w, { rss_peak_bytes: rss }) => ({
    figure: w.quantity(rss?.max, "bytes"),
    note: rss ? null : w.t("figure.memoryNotRead"),
  }),
};

function percentile(w: Words, cell: ComparedCell, p: number): ShownFigure {
  const found = cell.percentiles.find((each) => each.p === p);
  const partly = partlyCounts(cell, p);
  const note = found?.us ? partly && countedOf(w, partly) : phrase(w, found?.note, found?.note_zh);
  const figure = w.bound(found?.us?.median, "us", latencyBound(cell));
  const named = (text: string) => w.t("figure.percentileNote", { p, note: text });
  return { figure: found?.us ? named(figure) : figure, note: note && named(note) };
}
