import type { Leaderboard, LeaderboardRow } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import { useTranslations } from "next-intl";
import { resultsPath } from "@/lib/explore-path";
import { type RatioScale, ratioScale } from "@/lib/ratio-scale";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ScrollBox } from "../ui/scroll-box";
import { Text } from "../ui/text";
import { MARK_WIDTH, RatioMark, RatioMarkHead } from "./ratio-mark";
import { ServerLink } from "./server-link";

/** Each server as a ratio to nginx, best first, and what is not in the table. Nobody has a rank: rows are of different machines. */
export function LeaderboardTable({ board }: { board: Leaderboard }) {
  const t = useTranslations("public.leaderboard");
  const { scenario, rows, left_out, metric } = board;
  const scale = ratioScale(
    rows.map((row) => row.ratio),
    rankingOf(metric).moreIsBetter,
    MARK_WIDTH,
  );
  return (
    <>
      {rows.length > 0 ? (
        <ScrollBox label={t("table")} className="panel" tall>
          <table className="grid-table" data-sticky>
            <caption className="sr-only">{t("table")}</caption>
            <thead>
              <tr>
                <th scope="col">{t("server")}</th>
                <th scope="col" data-align="right">
                  {t("ratio")}
                </th>
                <th scope="col" className="hidden md:table-cell">
                  <RatioMarkHead>{t("picture")}</RatioMarkHead>
                </th>
                <th scope="col">{t("machine")}</th>
                <th scope="col">{t("report")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <Row
                  key={`${row.slug} ${row.run} ${row.label}`}
                  row={row}
                  scenario={scenario}
                  scale={scale}
                />
              ))}
            </tbody>
          </table>
        </ScrollBox>
      ) : (
        <p className="panel px-5 py-8">{t("nothing")}</p>
      )}
      {left_out.length > 0 && (
        <section className="mt-5">
          <h2 className="text-[1rem]">{t("leftOut")}</h2>
          <ul className="list-disc pl-5 text-ink-2">
            {left_out.map(({ why, entries }) => (
              <li key={why}>{t(`why.${why}`, { n: entries })}</li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

interface RowProps {
  row: LeaderboardRow;
  scenario: string;
  scale: RatioScale;
}

function Row({ row, scenario, scale }: RowProps) {
  const w = useWords();
  const [label, server] = [plainLine(row.label), plainLine(row.server)];
  return (
    <tr>
      <th scope="row">
        <ServerLink label={row.label} />
        {server !== label && <span className="note-line">{server}</span>}
      </th>
      <td data-align="right">
        <Text text={w.bound(row.ratio.estimate, "factor", null)} />
        <span className="note-line">{w.interval(row.ratio, null)}</span>
      </td>
      <td className="hidden align-middle md:table-cell">
        <RatioMark ratio={row.ratio} scale={scale} />
      </td>
      <td className="min-w-48">
        <bdi>{plainLine(row.machine)}</bdi>
      </td>
      <td>
        <a className="link" href={resultsPath(row, scenario, w.language)}>
          <time dateTime={row.created_at}>{w.moment(row.created_at)}</time>
        </a>
      </td>
    </tr>
  );
}
