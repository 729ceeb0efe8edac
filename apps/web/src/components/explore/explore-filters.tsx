import type { ExploreFilter, ExplorePage } from "@rigmark/results";
import { EXPLORE_FILTERS, type ExploreFilterName, MOST_EXPLORE } from "@rigmark/results/explore";
import { useTranslations } from "next-intl";
import { isFiltered } from "@/lib/explore-path";
import { FilterForm } from "./filter-form";
import { FilterSelect } from "./filter-select";

interface ExploreFiltersProps {
  filter: ExploreFilter;
  offered: ExplorePage["filters"];
}

export function ExploreFilters({ filter, offered }: ExploreFiltersProps) {
  const t = useTranslations("public.explore");
  return (
    <search aria-label={t("searchLabel")} className="no-print mb-5 block">
      <FilterForm action="/explore" state={JSON.stringify(filter)} className="flex flex-wrap items-end gap-3">
        <label className="min-w-0 flex-1 basis-64">
          <span className="mb-1 block font-medium">{t("search")}</span>
          <input
            key={filter.q ?? ""}
            className="input"
            type="search"
            name="q"
            defaultValue={filter.q ?? ""}
            maxLength={MOST_EXPLORE}
            placeholder={t("searchIn")}
            autoComplete="off"
          />
        </label>
        {EXPLORE_FILTERS.map((name) => (
          <FilterSelect key={name} name={name} chosen={filter[name]} values={valuesOf(offered, name)} />
        ))}
        <div className="flex items-center gap-3">
          <button type="submit" className="btn" data-kind="primary">
            {t("show")}
          </button>
          {isFiltered(filter) && (
            <a className="link" href="/explore">
              {t("showAll")}
            </a>
          )}
        </div>
      </FilterForm>
    </search>
  );
}

const valuesOf = (offered: ExplorePage["filters"], name: ExploreFilterName): readonly string[] =>
  offered.find((each) => each.name === name)?.values ?? [];
