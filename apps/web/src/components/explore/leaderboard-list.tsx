import type { LeaderboardName } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { leaderboardPath, MATRIX_PATH } from "@/lib/explore-path";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";

/** Leaderboards shown before the fold is opened. */
const SHOWN = 6;

/** The scenarios under which servers of different reports stand in one table. */
export function LeaderboardList({ boards }: { boards: readonly LeaderboardName[] }) {
  const t = useTranslations("public.leaderboard");
  if (boards.length === 0) return null;
  const [first, more] = [boards.slice(0, SHOWN), boards.slice(SHOWN)];
  return (
    <section className="mb-6">
      <h2 className="text-[1rem]">{t("list")}</h2>
      <Names boards={first} />
      <p>
        <a className="link" href={MATRIX_PATH}>
          {t("matrix")}
        </a>
      </p>
      {more.length > 0 && (
        <details>
          <summary className="link cursor-pointer">{t("more", { n: more.length })}</summary>
          <Names boards={more} />
        </details>
      )}
    </section>
  );
}

function Names({ boards }: { boards: readonly LeaderboardName[] }) {
  const w = useWords();
  const t = useTranslations("public.leaderboard");
  return (
    <ul className="flex flex-wrap gap-x-6 gap-y-1">
      {boards.map(({ scenario, title, entries }) => (
        <li key={scenario}>
          <a className="link" href={leaderboardPath(scenario)}>
            <bdi>{w.title(plainLine(title))}</bdi>
          </a>{" "}
          <span className="text-ink-2">{t("entries", { n: entries })}</span>
        </li>
      ))}
    </ul>
  );
}
