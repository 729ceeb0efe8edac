import { useTranslations } from "next-intl";
import { Header } from "@/components/shell/header";
import { Main } from "@/components/shell/main";
import { PageHead } from "@/components/ui/page-head";

/** A link to a leaderboard outlives the public reports that it was made of. */
export default function LeaderboardNotFound() {
  const t = useTranslations("public.noLeaderboard");
  return (
    <>
      <Header />
      <Main>
        <PageHead title={t("title")}>{t("text")}</PageHead>
        <a className="btn" href="/explore">
          {t("all")}
        </a>
      </Main>
    </>
  );
}
