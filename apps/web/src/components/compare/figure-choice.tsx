import type { Words } from "@rigmark/messages";
import { CELL_FIGURES, type CellFigure, type CompareState, comparePath } from "@/lib/compare-path";
import { useWords } from "@/lib/words";
import { CompareLink } from "./compare-link";

const TITLES: Record<CellFigure, (w: Words) => string> = {
  throughput: (w) => w.metric("requests_per_s").title,
  p50: (w) => w.metric("latency_p50_us").title,
  p99: (w) => w.metric("latency_p99_us").title,
  cpu: (w) => w.t("figure.cpuPerRequest"),
  memory: (w) => w.t("figure.memoryPeak"),
};

/** What stands below each ratio of the table. A link each, so that the choice is in the address. */
export function FigureChoice({ workspace, state }: { workspace: string; state: CompareState }) {
  const w = useWords();
  const { figure: chosen } = state;
  return (
    <>
      <nav aria-label="Figure below each ratio" className="flex flex-wrap items-center gap-2">
        <span className="text-ink-2">Below each ratio</span>
        {[undefined, ...CELL_FIGURES].map((figure) => (
          <CompareLink
            key={figure ?? ""}
            className="btn"
            data-size="small"
            aria-current={figure === chosen ? "true" : undefined}
            href={comparePath(workspace, { ...state, figure })}
            scroll={false}
          >
            {figure === undefined ? "Ranking metric" : TITLES[figure](w)}
          </CompareLink>
        ))}
      </nav>
      {chosen !== undefined && (
        <p className="note">
          Ratios and verdicts are still those of each scenario's ranking metric.
          {(chosen === "p50" || chosen === "p99") &&
            " Latencies from closed-loop load describe the load as much as the server."}
        </p>
      )}
    </>
  );
}
