import type { Suite } from "@rigmark/protocol";
import { type HrefOf, type OverviewRun, overviewOf } from "@/lib/results/overview";
import { plainLine, plainText } from "@/lib/text";
import { useWords } from "@/lib/words";
import { TableFigure } from "../chart/table-figure";
import { Text } from "../ui/text";
import { PublishedFigures } from "./published";

interface OverviewTablesProps {
  run: OverviewRun;
  suite: Suite | null;
  /** Names the CSV files. */
  name: string;
  /** Where the title of each scenario leads; nowhere where what is chosen below follows at once. */
  hrefOf?: HrefOf;
}

/** A table a workload with the winner, then resources, then the change against the baseline in percent. */
export function OverviewTables({ run, suite, name, hrefOf }: OverviewTablesProps) {
  const w = useWords();
  const { workloads, resources, trend } = overviewOf(w, run, hrefOf);
  const baseline = plainLine(
    run.entries.find((e) => e.baseline)?.label ?? w.t("figure.overview.theBaseline"),
  );
  return (
    <div className="space-y-5" data-overview>
      {suite && suite.mended.length > 0 && (
        <details>
          <summary>
            <Text
              text={w.t("figure.overview.mended", {
                title: suite.source ? w.name(plainLine(suite.source.title)) : w.t("figure.overview.original"),
                n: suite.mended.length,
              })}
            />
          </summary>
          <ul className="mt-1 max-w-[80ch] list-disc space-y-1 pl-5 text-ink-2">
            {suite.mended.map((line) => (
              <li key={line}>
                <Text text={w.name(plainText(line))} />
              </li>
            ))}
          </ul>
        </details>
      )}
      {workloads.map(({ workload, table }) => (
        <TableFigure key={workload} title={workload} table={table} csvName={`${name} ${workload}`} whole />
      ))}
      <TableFigure
        title={w.t("figure.overview.resourcesTitle")}
        summary={w.t("figure.overview.resourcesSummary")}
        table={resources}
        csvName={`${name} resources`}
        whole
      />
      {trend && (
        <TableFigure
          title={w.t("figure.overview.trend")}
          summary={w.t("figure.overview.trendSummary", { baseline })}
          table={trend}
          csvName={`${name} trend`}
          whole
        />
      )}
      {suite && <PublishedFigures suite={suite} scenarios={run.scenarios} />}
    </div>
  );
}
