import { verdictOf } from "@rigmark/messages";
import type { LeaderboardMatrix as Matrix, MatrixFilter } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import { useTranslations } from "next-intl";
import { leaderboardPath, matrixPath, resultsPath } from "@/lib/explore-path";
import { heatOf } from "@/lib/results/heat";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { HeatNote } from "../result/heat-note";
import { ScrollBox } from "../ui/scroll-box";
import { Text } from "../ui/text";
import { MatrixShown } from "./matrix-shown";
import { ServerLink } from "./server-link";

interface LeaderboardMatrixProps {
  matrix: Matrix;
  filter: MatrixFilter;
  /** The scenario that rows are sorted by. */
  by: string | undefined;
}

/** Servers down, scenarios across: each cell the ratio to nginx in the same run, colored by the verdict of its report. */
export function LeaderboardMatrix({ matrix, filter, by }: LeaderboardMatrixProps) {
  const w = useWords();
  const t = useTranslations("public.matrix");
  const { scenarios, rows, left_out } = matrix;
  const hasOverall = rows.some((row) => row.overall !== null);
  const byOverall = hasOverall && !scenarios.some(({ scenario }) => scenario === by);
  const alone = filter.entry?.length === 1 ? filter.entry[0] : undefined;
  return (
    <>
      <MatrixShown matrix={matrix} filter={filter} />
      <ScrollBox label={t("table")} className="panel" tall>
        <table className="grid-table" data-sticky data-heat>
          <caption className="sr-only">{t("table")}</caption>
          <thead>
            <tr>
              <th scope="col">{t("server")}</th>
              {hasOverall && (
                <th
                  scope="col"
                  data-align="right"
                  aria-sort={byOverall ? "descending" : undefined}
                  className="min-w-40"
                >
                  {t("overall", { n: scenarios.length })}
                  <span className="note-line font-normal">{t("overallHow")}</span>
                  {byOverall ? (
                    <span className="note-line font-normal">{t("sorted")}</span>
                  ) : (
                    <a className="link note-line font-normal" href={matrixPath(filter)}>
                      {t("sort")}
                    </a>
                  )}
                </th>
              )}
              {scenarios.map(({ scenario, title, metric }) => (
                <th
                  key={scenario}
                  scope="col"
                  data-align="right"
                  aria-sort={
                    by === scenario
                      ? rankingOf(metric).moreIsBetter
                        ? "descending"
                        : "ascending"
                      : undefined
                  }
                  className="min-w-36"
                >
                  <a className="link" href={leaderboardPath(scenario)}>
                    <bdi>{w.title(plainLine(title))}</bdi>
                  </a>
                  <span className="note-line font-normal">{t(`metric.${metric}`)}</span>
                  {by === scenario ? (
                    <span className="note-line font-normal">{t("sorted")}</span>
                  ) : (
                    <a className="link note-line font-normal" href={matrixPath(filter, scenario)}>
                      {t("sort")}
                    </a>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, server, cpu, arch, overall, cells }) => (
              <tr key={`${label} ${server} ${cpu}`}>
                <th scope="row" className="min-w-[min(40vw,14rem)]">
                  {label === alone ? <bdi>{plainLine(label)}</bdi> : <ServerLink label={label} />}
                  <span className="note-line font-normal">
                    <bdi>
                      {plainLine([server === label ? "" : server, cpu, arch].filter(Boolean).join(", "))}
                    </bdi>
                  </span>
                </th>
                {hasOverall && (
                  <td data-align="right" data-heat="none">
                    {overall === null ? (
                      <span className="text-ink-2">–</span>
                    ) : (
                      <Text text={w.bound(overall, "factor", null)} />
                    )}
                  </td>
                )}
                {scenarios.map(({ scenario, metric }, place) => {
                  const cell = cells[place];
                  return (
                    <td key={scenario} data-align="right" {...heatOf(cell?.verdict, cell?.ratio.estimate)}>
                      {cell ? (
                        <>
                          <a className="link" href={resultsPath(cell, scenario, w.language)}>
                            <Text text={w.bound(cell.ratio.estimate, "factor", null)} />
                          </a>
                          <span className="note-line">{w.interval(cell.ratio, null)}</span>
                          <span className="note-line">{verdictOf(w, cell.verdict, metric)}</span>
                        </>
                      ) : (
                        <span className="text-ink-2">–</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollBox>
      <HeatNote />
      {scenarios.length > 1 && (
        <p className="mt-2 max-w-[80ch] text-ink-2">{t(hasOverall ? "overallNote" : "overallNone")}</p>
      )}
      {left_out > 0 && <p className="mt-2 text-ink-2">{t("more", { n: left_out })}</p>}
    </>
  );
}
