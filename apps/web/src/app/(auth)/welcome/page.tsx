import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { WelcomeForm } from "@/components/auth/welcome-form";
import { PageHead } from "@/components/ui/page-head";
import { Text } from "@/components/ui/text";
import { pageWords } from "@/server/page-words";
import { caller } from "@/trpc/caller";
import { ApiProvider } from "@/trpc/client";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.auth"))("welcome"),
});

export default async function WelcomePage({ searchParams }: PageProps<"/welcome">) {
  const t = await getTranslations("public.auth");
  const w = await pageWords();
  const { token: given } = await searchParams;
  const token = typeof given === "string" ? given.slice(0, 200) : "";
  const api = await caller();
  const [{ claimed, link }, { user }] = await Promise.all([
    api.setup.status(token === "" ? undefined : { token }),
    api.account.me(),
  ]);
  if (claimed !== false || link?.state !== "usable")
    return (
      <>
        <PageHead title={claimed === false ? t("linkDoesNotWork") : t("welcome")} />
        <p className="note mb-5">
          {claimed === true
            ? t("ownerAlready")
            : claimed === null
              ? t("nothingWaits")
              : (link?.message && <Text text={w.phrase(link.message)} />) || t("notWhole")}
        </p>
        <Link className="btn" href="/sign-in">
          {t("signIn")}
        </Link>
      </>
    );
  return (
    <>
      <PageHead title={t("createAccount")}>{t("firstOwner")}</PageHead>
      <ApiProvider>
        <WelcomeForm token={token} signedInAs={user?.email ?? null} />
      </ApiProvider>
    </>
  );
}
