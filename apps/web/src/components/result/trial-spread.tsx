import type { Scenario } from "@rigmark/protocol";
import type { ResultRun } from "@/lib/results/shape";
import { spreadTable } from "@/lib/results/spread-table";
import type { SeriesStyle } from "@/lib/series-style";
import { useWords } from "@/lib/words";
import { TableFigure } from "../chart/table-figure";

interface TrialSpreadProps {
  run: Pick<ResultRun, "entries" | "summary">;
  scenarios: Scenario[];
  styles: Map<string, SeriesStyle>;
  /** Names the CSV file. */
  name: string;
}

/** Below the trials: how they lie around their medians, with outliers and effect sizes. */
export function TrialSpread({ run, scenarios, styles, name }: TrialSpreadProps) {
  const w = useWords();
  const table = spreadTable(w, { entries: run.entries, summary: run.summary, scenarios }, styles);
  if (!table) return null;
  return (
    <div className="mt-4">
      <TableFigure
        title={w.t("figure.spread")}
        summary={w.t("figure.spreadSummary")}
        table={table}
        csvName={`${name} spread`}
      />
    </div>
  );
}
