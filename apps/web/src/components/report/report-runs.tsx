import type { ReportRun } from "@rigmark/results";
import { capital, runName, WITHIN_RUNS } from "@rigmark/results/comparable";
import type { Language } from "@rigmark/results/language";
import { type SideBySide, sideBySide } from "@/lib/results/side-by-side";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { SeriesGlyph } from "../chart/glyph";
import { EnvironmentDifferences } from "../result/environment-differences";
import { anchorOf, langOf } from "./report-run";

interface ReportRunsProps {
  runs: readonly ReportRun[];
  /** Of the sentences of their summaries. */
  language: Language;
  styles: Map<string, SeriesStyle>;
}

/** Of a report with several runs: which they are, whether they may be compared, and their figures beside each other. */
export function ReportRuns({ runs, language, styles }: ReportRunsProps) {
  if (runs.length < 2) return null;
  const tables = sideBySide(runs);
  return (
    <section className="space-y-5" aria-labelledby="runs">
      <h2 id="runs">Runs beside each other</h2>
      <ol className="panel divide-y divide-line">
        {runs.map((run, place) => (
          <li key={run.run_id} className="px-4 py-2.5 [overflow-wrap:anywhere]">
            <a className="link font-medium" href={`#${anchorOf(place)}`}>
              {capital(runName(place))}: <bdi>{plainLine(run.title)}</bdi>
            </a>
            {run.summary && <p lang={langOf(run, language)}>{plainLine(run.summary.sentence)}</p>}
            <p className="text-[0.929rem] text-ink-2">
              {[
                plainLine(run.host.name),
                run.finished_at ? formatMoment(run.finished_at) : null,
                run.entries.map((e) => plainLine(e.label)).join(", "),
              ]
                .filter(Boolean)
                .join(" · ")}
            </p>
          </li>
        ))}
      </ol>
      <EnvironmentDifferences runs={runs} />
      {tables.map((table) => (
        <SideTable key={table.key} table={table} runs={runs.length} styles={styles} />
      ))}
      <p className="note">
        {tables.length === 0 && "No load was measured in more than one of these runs. "}
        {WITHIN_RUNS}
      </p>
    </section>
  );
}

function SideTable({
  table,
  runs,
  styles,
}: {
  table: SideBySide;
  runs: number;
  styles: ReportRunsProps["styles"];
}) {
  const what = `${table.metric}, median of trials`;
  return (
    <div>
      <h3 className="mb-1">
        {table.title} <span className="font-normal text-ink-2">{what}</span>
      </h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="scroll-x panel" tabIndex={0} aria-label={`${table.title}, run by run`}>
        <table className="grid-table" data-sticky>
          <caption className="sr-only">
            {table.title}: {what}, run by run
          </caption>
          <thead>
            <tr>
              <th scope="col">Entry</th>
              {Array.from({ length: runs }, (_, place) => (
                <th key={runName(place)} scope="col" data-align="right">
                  {capital(runName(place))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => {
              const style = styles.get(row.key);
              return (
                <tr key={row.key}>
                  <th scope="row">
                    {style && <SeriesGlyph style={style} />} <bdi>{row.name}</bdi>
                  </th>
                  {row.cells.map((cell, place) => (
                    <td key={runName(place)} data-align="right">
                      {cell ? cell.figure : "not in it"}
                      {cell?.range && (
                        <span className="note-line ml-auto max-w-[6.5rem] whitespace-normal sm:max-w-none">
                          {cell.range}
                        </span>
                      )}
                      {cell?.note && (
                        <span className="note-line ml-auto max-w-[6.5rem] whitespace-normal sm:max-w-[16rem]">
                          {cell.note}
                        </span>
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}
