import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { CsvLink } from "@/components/explore/csv-link";
import { LeaderboardFilters } from "@/components/explore/leaderboard-filters";
import { LeaderboardGuide } from "@/components/explore/leaderboard-guide";
import { LeaderboardMatrix } from "@/components/explore/leaderboard-matrix";
import { MatrixChoices } from "@/components/explore/matrix-choices";
import { MatrixSearch } from "@/components/explore/matrix-search";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";
import { MATRIX_PATH, matrixFilter, sortedBy } from "@/lib/explore-path";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.matrix"))("title"),
});

/** Every server of public reports under every scenario, for anybody. Its address holds filters and order. */
export default async function MatrixPage({ searchParams }: PageProps<"/explore/servers">) {
  const asked = await searchParams;
  const filter = matrixFilter(asked);
  const by = sortedBy(asked);
  const matrix = await orNotFound((await caller()).report.leaderboardMatrix({ filter, by }));
  const t = await getTranslations("public.matrix");
  return (
    <>
      <Header />
      <Main>
        <PageHead title={t("title")}>
          {t("intro")}
          <LeaderboardGuide />
        </PageHead>
        <LeaderboardFilters path={MATRIX_PATH} offered={matrix} filter={filter} by={by}>
          <MatrixSearch q={filter.q} />
          <MatrixChoices choices={matrix.choices} filter={filter} />
        </LeaderboardFilters>
        {matrix.rows.length > 0 ? (
          <LeaderboardMatrix matrix={matrix} filter={filter} by={by} />
        ) : (
          <p className="panel px-5 py-8">{t(filter.q ? "noMatch" : "nothing")}</p>
        )}
        <p className="mt-4">
          <a className="link" href="/explore">
            {t("all")}
          </a>
          {matrix.rows.length > 0 && (
            <>
              {" · "}
              <CsvLink page={MATRIX_PATH} filter={filter} by={by} />
            </>
          )}
        </p>
      </Main>
    </>
  );
}
