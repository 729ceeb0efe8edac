import type { Suite } from "@rigmark/protocol";
import { type OverviewRun, overviewOf } from "@/lib/results/overview";
import { plainLine, plainText } from "@/lib/text";
import { TableFigure } from "../chart/table-figure";
import { PublishedFigures } from "./published";

interface OverviewTablesProps {
  run: OverviewRun;
  suite: Suite | null;
  /** Names the CSV files. */
  name: string;
}

/** A table a workload with the winner, then resources, then the change against the baseline in percent. */
export function OverviewTables({ run, suite, name }: OverviewTablesProps) {
  const { workloads, resources, trend } = overviewOf(run);
  const baseline = plainLine(run.entries.find((e) => e.baseline)?.label ?? "the baseline");
  return (
    <div className="space-y-5" data-overview>
      {suite && suite.mended.length > 0 && (
        <details>
          <summary>
            What is mended of {plainLine(suite.source?.title ?? "the original")} ({suite.mended.length})
          </summary>
          <ul className="mt-1 max-w-[80ch] list-disc space-y-1 pl-5 text-ink-2">
            {suite.mended.map((line) => (
              <li key={line}>{plainText(line)}</li>
            ))}
          </ul>
        </details>
      )}
      {workloads.map(({ workload, table }) => (
        <TableFigure key={workload} title={workload} table={table} csvName={`${name} ${workload}`} whole />
      ))}
      <TableFigure
        title="Resources"
        summary="Peak memory of the server while it was loaded; below it CPU, bytes and who was the limit."
        table={resources}
        csvName={`${name} resources`}
        whole
      />
      {trend && (
        <TableFigure
          title="Trend"
          summary={`Change against ${baseline}, with its 95 % interval; too wide where its ends are a factor of more than 100 apart.`}
          table={trend}
          csvName={`${name} trend`}
          whole
        />
      )}
      {suite && <PublishedFigures suite={suite} scenarios={run.scenarios} />}
    </div>
  );
}
