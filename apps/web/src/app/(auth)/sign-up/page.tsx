import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { GitHubButton } from "@/components/auth/github-button";
import { OpenSignUp } from "@/components/auth/open-sign-up";
import { PageHead } from "@/components/ui/page-head";
import { nextPath } from "@/lib/next-path";
import { caller } from "@/trpc/caller";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.auth"))("createAccount"),
});

export default async function SignUpPage({ searchParams }: PageProps<"/sign-up">) {
  const t = await getTranslations("public.auth");
  const next = nextPath((await searchParams).next);
  const { user, providers, sign_up } = await (await caller()).account.me();
  if (user) redirect(next);
  if (sign_up === "closed") return <Closed />;
  return (
    <>
      <PageHead title={t("createAccount")}>
        {sign_up !== "open" && `${t("onlyAt", { domain: sign_up })} `}
        {t("workspaceOfYours")}
      </PageHead>
      <OpenSignUp next={next} />
      {providers.github && (
        <div className="mt-4 border-line border-t pt-4">
          <GitHubButton next={next} />
        </div>
      )}
      <p className="mt-5">
        {t("haveOne")}{" "}
        <Link className="link" href={next === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(next)}`}>
          {t("signIn")}
        </Link>
      </p>
    </>
  );
}

async function Closed() {
  const t = await getTranslations("public.auth");
  return (
    <>
      <PageHead title={t("closedTitle")}>{t("closed")}</PageHead>
      <p className="note mb-5">
        {t.rich("closedHow", {
          code: (text) => (
            <code key="code" className="font-mono">
              {text}
            </code>
          ),
        })}
      </p>
      <p className="mb-5">{t("closedRead")}</p>
      <Link className="btn" href="/sign-in">
        {t("signIn")}
      </Link>
    </>
  );
}
