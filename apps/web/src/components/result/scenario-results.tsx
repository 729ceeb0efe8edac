import type { LatencyCurve } from "@rigmark/results";
import { type ReactNode, useMemo } from "react";
import { costFigure } from "@/lib/results/cost-figure";
import { courseOf } from "@/lib/results/course";
import { distributionFigure } from "@/lib/results/distribution-figure";
import { efficiencyTable } from "@/lib/results/efficiency-table";
import { latencyFigure } from "@/lib/results/latency-figure";
import { heatEntries } from "@/lib/results/latency-over-time-figure";
import { mainFigure } from "@/lib/results/main-figure";
import { printedLatency } from "@/lib/results/printed-latency";
import type { ResultRun } from "@/lib/results/shape";
import { singleShots } from "@/lib/results/single-shots";
import type { SeriesStyle } from "@/lib/series-style";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";
import { TableFigure } from "../chart/table-figure";
import { LatencyOverTime } from "./latency-over-time";
import { OverTime } from "./over-time";

interface ScenarioResultsProps {
  run: ResultRun;
  scenario: string;
  curves: readonly LatencyCurve[];
  styles: Map<string, SeriesStyle>;
  /** Names the CSV files. */
  name: string;
  children?: ReactNode;
}

/** What one scenario showed: what ranks, with its intervals; what it cost, which says why; then latencies and the course over time. */
export function ScenarioResults({ run, scenario, curves, styles, name, children }: ScenarioResultsProps) {
  const w = useWords();
  const main = useMemo(() => mainFigure(w, run, scenario, styles), [w, run, scenario, styles]);
  const latency = useMemo(
    () => latencyFigure(w, run, scenario, styles, curves),
    [w, run, scenario, styles, curves],
  );
  const cost = useMemo(() => costFigure(w, run, scenario, styles), [w, run, scenario, styles]);
  const distribution = useMemo(
    () => distributionFigure(w, run, scenario, styles, curves),
    [w, run, scenario, styles, curves],
  );
  const heat = useMemo(
    () => heatEntries(w, run, scenario, styles, curves),
    [w, run, scenario, styles, curves],
  );
  const sameAsMain = cost.title === main.title && !cost.empty;
  const efficiency = useMemo(() => efficiencyTable(w, run, scenario, styles), [w, run, scenario, styles]);
  const printed = useMemo(() => printedLatency(w, run, scenario, styles), [w, run, scenario, styles]);
  const shots = useMemo(() => singleShots(w, run, scenario, styles), [w, run, scenario, styles]);
  const course = useMemo(() => courseOf(w, run, scenario), [w, run, scenario]);
  return (
    <div className="space-y-4">
      <ChartFigure {...main} twin="below" csvName={`${name} ${scenario} ${main.title}`} />
      {children}
      <ChartFigure
        // Of another scenario it begins anew: there the picture may be the only one.
        key={sameAsMain ? "table" : "picture"}
        {...cost}
        csvName={`${name} ${scenario} cost`}
        tableFirst={sameAsMain}
      />
      {efficiency && (
        <TableFigure
          title={w.t("figure.efficiency")}
          summary={w.t("figure.efficiencySummary")}
          table={efficiency}
          csvName={`${name} ${scenario} efficiency`}
        />
      )}
      <div className={`grid items-start gap-4 ${distribution ? "lg:grid-cols-2" : ""}`}>
        <ChartFigure {...latency} csvName={`${name} ${scenario} latency`} />
        {distribution && (
          <ChartFigure {...distribution} csvName={`${name} ${scenario} latency distribution`} />
        )}
      </div>
      {heat.length > 0 && <LatencyOverTime entries={heat} name={`${name} ${scenario}`} />}
      {printed && (
        <TableFigure
          title={w.t("figure.printedTitle")}
          summary={printed.summary}
          table={printed.table}
          csvName={`${name} ${scenario} printed latency`}
        />
      )}
      {shots && (
        <details>
          <summary>{w.t("figure.shotsFold")}</summary>
          <div className="mt-2">
            <TableFigure
              title={w.t("figure.shots")}
              table={shots}
              csvName={`${name} ${scenario} single tool runs`}
            />
          </div>
        </details>
      )}
      <OverTime course={course} styles={styles} name={`${name} ${scenario}`} />
    </div>
  );
}
