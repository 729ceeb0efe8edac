import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { cache } from "react";
import { CsvLink } from "@/components/explore/csv-link";
import { LeaderboardFilters } from "@/components/explore/leaderboard-filters";
import { LeaderboardGuide } from "@/components/explore/leaderboard-guide";
import { LeaderboardLoad } from "@/components/explore/leaderboard-load";
import { LeaderboardTable } from "@/components/explore/leaderboard-table";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";
import { leaderboardFilter, leaderboardPath, matrixPath, scenarioNamed } from "@/lib/explore-path";
import { plainLine } from "@/lib/text";
import { pageWords } from "@/server/page-words";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

/** Once a request, for the page and its metadata. */
const load = cache(async (scenario: string, arch?: string, cpu?: string) =>
  orNotFound((await caller()).report.leaderboard({ scenario, filter: { arch, cpu } })),
);

async function asked({ params, searchParams }: PageProps<"/explore/[scenario]">) {
  const filter = leaderboardFilter(await searchParams);
  const scenario = scenarioNamed((await params).scenario);
  return { filter, board: await load(scenario, filter.arch, filter.cpu) };
}

export async function generateMetadata(props: PageProps<"/explore/[scenario]">): Promise<Metadata> {
  const { board } = await asked(props);
  const w = await pageWords();
  return { title: w.t("public.leaderboard.title", { scenario: w.title(plainLine(board.title)) }) };
}

/** Servers under one scenario, from public reports, for anybody. Its address holds the filters. */
export default async function LeaderboardPage(props: PageProps<"/explore/[scenario]">) {
  const { filter, board } = await asked(props);
  const t = await getTranslations("public.leaderboard");
  const w = await pageWords();
  return (
    <>
      <Header />
      <Main>
        <PageHead title={t("title", { scenario: w.title(plainLine(board.title)) })}>
          {t(`intro.${board.metric}`)} {t("whose")}
          <LeaderboardLoad board={board} />
          <LeaderboardGuide />
        </PageHead>
        <LeaderboardFilters path={leaderboardPath(board.scenario)} offered={board} filter={filter} />
        <LeaderboardTable board={board} />
        <p className="mt-4">
          <a className="link" href="/explore">
            {t("all")}
          </a>
          {" · "}
          <a className="link" href={matrixPath(filter)}>
            {t("matrix")}
          </a>
          {" · "}
          <a className="link" href={matrixPath({ ...filter, scenario: [board.scenario] }, board.scenario)}>
            {t("choose")}
          </a>
          {board.rows.length > 0 && (
            <>
              {" · "}
              <CsvLink page={leaderboardPath(board.scenario)} filter={filter} />
            </>
          )}
        </p>
      </Main>
    </>
  );
}
