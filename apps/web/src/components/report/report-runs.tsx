import { bare, runOf } from "@rigmark/messages";
import type { ReportRun } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { heatInWords } from "@/lib/results/heat";
import { type SideBySide, sideBySide } from "@/lib/results/side-by-side";
import type { SeriesStyle } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { EnvironmentDifferences } from "../result/environment-differences";
import { ScrollBox } from "../ui/scroll-box";
import { Text } from "../ui/text";
import { langOf } from "./lang-of";
import { anchorOf } from "./report-run";

interface ReportRunsProps {
  runs: readonly ReportRun[];
  styles: Map<string, SeriesStyle>;
}

/** Of a report with several runs: which they are, whether they may be compared, and their figures beside each other. */
export function ReportRuns({ runs, styles }: ReportRunsProps) {
  const w = useWords();
  const t = useTranslations("report.runs");
  if (runs.length < 2) return null;
  const tables = sideBySide(w, runs);
  return (
    <section className="space-y-5" aria-labelledby="runs">
      <h2 id="runs">{t("title")}</h2>
      <ol className="panel divide-y divide-line">
        {runs.map((run, place) => (
          <li key={run.run_id} className="px-4 py-2.5 [overflow-wrap:anywhere]">
            <a className="link font-medium" href={`#${anchorOf(place)}`}>
              {t.rich("heading", {
                run: runOf(w, place),
                title: () => <bdi key="title">{plainLine(run.title)}</bdi>,
              })}
            </a>
            {run.summary && (
              <p lang={langOf(w, run)}>
                <Text text={w.sentence(plainLine(run.summary.sentence))} />
              </p>
            )}
            <p className="text-[0.929rem] text-ink-2">
              <Text
                text={[
                  w.name(plainLine(run.host.name)),
                  run.finished_at ? w.moment(run.finished_at) : null,
                  w.name(run.entries.map((e) => plainLine(e.label)).join(", ")),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              />
            </p>
          </li>
        ))}
      </ol>
      <EnvironmentDifferences runs={runs} />
      {tables.map((table) => (
        <SideTable key={table.key} table={table} runs={runs.length} styles={styles} />
      ))}
      <p className="note">
        {w.sentences([
          tables.length === 0 && t("noneShared"),
          t("within"),
          tables.some(hasRatios) && heatInWords(w),
        ])}
      </p>
    </section>
  );
}

const hasRatios = ({ rows }: SideBySide): boolean =>
  rows.some((row) => row.cells.some((cell) => cell?.ratio?.interval));

function SideTable({
  table,
  runs,
  styles,
}: {
  table: SideBySide;
  runs: number;
  styles: ReportRunsProps["styles"];
}) {
  const w = useWords();
  const t = useTranslations("report.runs");
  const withRatios = hasRatios(table);
  const what = t(withRatios ? "whatRatios" : "what", { metric: table.metric });
  return (
    <div>
      <h3 className="mb-1">
        <Text text={table.title} /> <span className="font-normal text-ink-2">{what}</span>
      </h3>
      <ScrollBox label={bare(t("runByRun", { title: table.title }))} className="panel">
        <table className="grid-table" data-sticky data-heat={withRatios || undefined}>
          <caption className="sr-only">
            <Text text={t("caption", { title: table.title, what })} />
          </caption>
          <thead>
            <tr>
              <th scope="col">{w.t("figure.entry")}</th>
              {Array.from({ length: runs }, (_, place) => (
                <th key={runOf(w, place)} scope="col" data-align="right">
                  {runOf(w, place)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => {
              const style = styles.get(row.entry.key);
              return (
                <tr key={row.entry.key}>
                  <th scope="row">
                    {style && <SeriesGlyph style={style} />} <bdi>{row.name}</bdi>
                  </th>
                  {row.cells.map((cell, place) => (
                    <td key={runOf(w, place)} data-align="right" {...cell?.ratio?.heat}>
                      {withRatios && cell?.ratio && <Ratio of={cell.ratio} />}
                      <span className={withRatios && cell?.ratio ? "note-line" : undefined}>
                        {cell ? cell.figure : t("notInIt")}
                      </span>
                      {cell?.range && (
                        <span className="note-line ml-auto max-w-[6.5rem] whitespace-normal sm:max-w-none">
                          {cell.range}
                        </span>
                      )}
                      {cell?.note && (
                        <span className="note-line ml-auto max-w-[6.5rem] whitespace-normal sm:max-w-[16rem]">
                          <Text text={cell.note} />
                        </span>
                      )}
                    </td>
                  ))}
                </tr>
              );
            })}
          </tbody>
        </table>
      </ScrollBox>
    </div>
  );
}

function Ratio({
  of,
}: {
  of: NonNullable<NonNullable<SideBySide["rows"][number]["cells"][number]>["ratio"]>;
}) {
  return (
    <>
      <span className="font-medium">{of.text}</span>
      {of.interval && <span className="note-line">{of.interval}</span>}
      {of.verdict && <span className="note-line">{of.verdict}</span>}
    </>
  );
}
