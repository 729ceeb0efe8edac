import { languageOfLocale } from "@rigmark/messages";
import type { Metadata } from "next";
import { getLocale, getTranslations } from "next-intl/server";
import { ExploreFilters } from "@/components/explore/explore-filters";
import { ExploreList } from "@/components/explore/explore-list";
import { LeaderboardList } from "@/components/explore/leaderboard-list";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";
import { exploreFilter, explorePath, isFiltered } from "@/lib/explore-path";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.explore"))("title"),
});

/** Public reports, for anybody. Its address holds search, filters and place. */
export default async function ExplorePage({ searchParams }: PageProps<"/explore">) {
  const asked = await searchParams;
  const t = await getTranslations("public.explore");
  const filter = exploreFilter(asked);
  const cursor = typeof asked.after === "string" ? asked.after : null;
  const language = languageOfLocale(await getLocale());
  const api = await caller();
  const filtered = isFiltered(filter);
  const [page, boards] = await Promise.all([
    orNotFound(api.report.explore({ filter, cursor, language })),
    filtered || cursor ? [] : api.report.leaderboards(),
  ]);
  return (
    <>
      <Header />
      <Main>
        <PageHead title={t("title")}>{t("intro")}</PageHead>
        {(page.filters.length > 0 || filtered) && <ExploreFilters filter={filter} offered={page.filters} />}
        <LeaderboardList boards={boards} />
        {page.reports.length > 0 ? (
          <ExploreList reports={page.reports} />
        ) : (
          <p className="panel px-5 py-8">{filtered ? t("noMatch") : cursor ? t("noOlder") : t("empty")}</p>
        )}
        <nav aria-label={t("pages")} className="no-print mt-4 flex flex-wrap justify-between gap-3">
          {cursor && (
            <a className="link" href={explorePath(filter)}>
              {t("newest")}
            </a>
          )}
          {page.next_cursor && (
            <a className="link ml-auto" href={explorePath(filter, page.next_cursor)}>
              {t("older")}
            </a>
          )}
        </nav>
      </Main>
    </>
  );
}
