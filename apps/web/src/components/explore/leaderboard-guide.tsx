import { useTranslations } from "next-intl";

/** How the ratios of leaderboards are measured, and how to be among them. */
export function LeaderboardGuide() {
  const t = useTranslations("public.leaderboard");
  return (
    <p className="mt-1">
      <a className="link" href="/docs/method#leaderboards">
        {t("method")}
      </a>
      {" · "}
      <a className="link" href="/docs/own-server">
        {t("own")}
      </a>
    </p>
  );
}
