import type { Leaderboard, LeaderboardFilter } from "@rigmark/results";
import { useTranslations } from "next-intl";
import { leaderboardPath } from "@/lib/explore-path";
import { FilterSelect } from "./filter-select";

interface LeaderboardFiltersProps {
  board: Leaderboard;
  filter: LeaderboardFilter;
}

/** By machine. A form whose address is the state of the page; it works without scripts. */
export function LeaderboardFilters({ board, filter }: LeaderboardFiltersProps) {
  const t = useTranslations("public.explore");
  const filtered = filter.arch !== undefined || filter.cpu !== undefined;
  if (!filtered && board.archs.length < 2 && board.cpus.length < 2) return null;
  const path = leaderboardPath(board.scenario);
  return (
    <search aria-label={t("filterLabel")} className="no-print mb-5 block">
      <form action={path} className="flex flex-wrap items-end gap-3">
        <FilterSelect name="arch" chosen={filter.arch} values={board.archs} />
        <FilterSelect name="cpu" chosen={filter.cpu} values={board.cpus} />
        <div className="flex items-center gap-3">
          <button type="submit" className="btn" data-kind="primary">
            {t("show")}
          </button>
          {filtered && (
            <a className="link" href={path}>
              {t("showAll")}
            </a>
          )}
        </div>
      </form>
    </search>
  );
}
