import type { Leaderboard, MatrixFilter } from "@rigmark/results";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { FilterForm } from "./filter-form";
import { FilterSelect } from "./filter-select";

interface LeaderboardFiltersProps {
  /** Of the page. */
  path: string;
  offered: Pick<Leaderboard, "archs" | "cpus">;
  filter: MatrixFilter;
  /** What else the address holds. */
  by?: string | undefined;
  /** What else there is to choose. */
  children?: ReactNode;
}

export function LeaderboardFilters({ path, offered, filter, by, children }: LeaderboardFiltersProps) {
  const t = useTranslations("public.explore");
  const filtered = Object.values(filter).flat().some(Boolean);
  if (!filtered && !children && offered.archs.length < 2 && offered.cpus.length < 2) return null;
  return (
    <search aria-label={t("filterLabel")} className="no-print mb-5 block">
      <FilterForm action={path} state={JSON.stringify(filter)} className="flex flex-wrap items-end gap-3">
        {by !== undefined && <input type="hidden" name="by" value={by} />}
        <FilterSelect name="arch" chosen={filter.arch} values={offered.archs} />
        <FilterSelect name="cpu" chosen={filter.cpu} values={offered.cpus} />
        {children}
        {/* With scripts there is nothing left to send. */}
        <noscript>
          <button type="submit" className="btn" data-kind="primary">
            {t("show")}
          </button>
        </noscript>
        {filtered && (
          <a className="link" href={path}>
            {t("showAll")}
          </a>
        )}
      </FilterForm>
    </search>
  );
}
