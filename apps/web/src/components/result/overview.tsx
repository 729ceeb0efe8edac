import type { Suite } from "@rigmark/protocol";
import { type OverviewRun, overviewOf } from "@/lib/results/overview";
import { plainLine, plainText } from "@/lib/text";
import { DataTable } from "../chart/data-table";
import { PublishedFigures } from "./published";

/** A table a workload with the winner, then resources, then the change against the baseline in per cent. */
export function OverviewTables({ run, suite }: { run: OverviewRun; suite: Suite | null }) {
  const { workloads, resources, trend } = overviewOf(run);
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
        <section key={workload}>
          <h3 className="mb-1">{workload}</h3>
          <div className="panel">
            <DataTable model={table} />
          </div>
        </section>
      ))}
      <section>
        <h3 className="mb-1">
          Resources{" "}
          <span className="font-normal text-ink-2">peak memory of the server while it was loaded</span>
        </h3>
        <div className="panel">
          <DataTable model={resources} />
        </div>
      </section>
      {trend && (
        <section>
          <h3 className="mb-1">
            Trend{" "}
            <span className="font-normal text-ink-2">
              change against {plainLine(run.entries.find((e) => e.baseline)?.label ?? "the baseline")}, with
              its 95 % interval
            </span>
          </h3>
          <div className="panel">
            <DataTable model={trend} />
          </div>
        </section>
      )}
      {suite && <PublishedFigures suite={suite} scenarios={run.scenarios} />}
    </div>
  );
}
