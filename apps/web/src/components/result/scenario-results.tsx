import type { LatencyCurve } from "@rigmark/results";
import { type ReactNode, useMemo } from "react";
import { costFigure } from "@/lib/results/cost-figure";
import { efficiencyTable } from "@/lib/results/efficiency-table";
import { latencyFigure } from "@/lib/results/latency-figure";
import { mainFigure } from "@/lib/results/main-figure";
import { printedLatency } from "@/lib/results/printed-latency";
import type { ResultRun } from "@/lib/results/shape";
import { singleShots } from "@/lib/results/single-shots";
import type { SeriesStyle } from "@/lib/series-style";
import { ChartFigure } from "../chart/chart-figure";
import { TableFigure } from "../chart/table-figure";
import { OverTime } from "./over-time";

interface ScenarioResultsProps {
  run: ResultRun;
  scenario: string;
  curves: readonly LatencyCurve[];
  styles: Map<string, SeriesStyle>;
  /** Names the CSV files. */
  name: string;
  /** Of the summary's sentences, where it is not the page's. */
  lang?: string;
  children?: ReactNode;
}

/** What one scenario showed: what ranks with its table, then latency, cost, and the course over time. */
export function ScenarioResults({
  run,
  scenario,
  curves,
  styles,
  name,
  lang,
  children,
}: ScenarioResultsProps) {
  const main = useMemo(() => mainFigure(run, scenario, styles), [run, scenario, styles]);
  const latency = useMemo(
    () => latencyFigure(run, scenario, styles, curves),
    [run, scenario, styles, curves],
  );
  const cost = useMemo(() => costFigure(run, scenario, styles), [run, scenario, styles]);
  const sameAsMain = cost.title === main.title && !cost.empty;
  const efficiency = useMemo(() => efficiencyTable(run, scenario, styles), [run, scenario, styles]);
  const printed = useMemo(() => printedLatency(run, scenario, styles), [run, scenario, styles]);
  const shots = useMemo(() => singleShots(run, scenario, styles), [run, scenario, styles]);
  return (
    <div className="space-y-4">
      <ChartFigure
        {...main}
        {...(lang ? { lang } : {})}
        twin="below"
        csvName={`${name} ${scenario} ${main.title}`}
      />
      {children}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <ChartFigure {...latency} csvName={`${name} ${scenario} latency`} />
        <ChartFigure
          // Of another scenario it begins anew: there the picture may be the only one.
          key={sameAsMain ? "table" : "picture"}
          {...cost}
          csvName={`${name} ${scenario} cost`}
          tableFirst={sameAsMain}
        />
      </div>
      {printed && (
        <TableFigure
          title="Latency as the tool printed it"
          summary={printed.summary}
          table={printed.table}
          csvName={`${name} ${scenario} printed latency`}
        />
      )}
      {efficiency && (
        <TableFigure
          title="Efficiency"
          summary="What each entry answers for what it uses. Energy is of the whole package or board, tool and all; – where the host or the tool cannot tell."
          table={efficiency}
          csvName={`${name} ${scenario} efficiency`}
        />
      )}
      {shots && (
        <details>
          <summary>Single shots: what one round of this load says, shown and never ranked</summary>
          <div className="mt-2">
            <TableFigure title="Single shots" table={shots} csvName={`${name} ${scenario} single shots`} />
          </div>
        </details>
      )}
      <OverTime run={run} scenario={scenario} styles={styles} name={name} />
    </div>
  );
}
