import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { GitHubButton } from "@/components/auth/github-button";
import { SignInForm } from "@/components/auth/sign-in-form";
import { PageHead } from "@/components/ui/page-head";
import { Problem } from "@/components/ui/problem";
import { nextPath } from "@/lib/next-path";
import { signInError } from "@/lib/sign-in-error";
import { caller } from "@/trpc/caller";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.auth"))("signIn"),
});

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const t = await getTranslations("public.auth");
  const { next: wanted, error } = await searchParams;
  const next = nextPath(wanted);
  const problem = signInError(error);
  const { user, providers, sign_up } = await (await caller()).account.me();
  if (user) redirect(next);
  return (
    <>
      <PageHead title={t("signIn")} />
      {problem && <Problem message={t(`problem.${problem}`)} className="mb-5" />}
      <SignInForm next={next} />
      {providers.github && (
        <div className="mt-4 border-line border-t pt-4">
          <GitHubButton next={next} />
        </div>
      )}
      <p className="mt-5 flex flex-wrap justify-between gap-3">
        {sign_up !== "closed" && (
          <Link
            className="link"
            href={next === "/" ? "/sign-up" : `/sign-up?next=${encodeURIComponent(next)}`}
          >
            {t("createAnAccount")}
          </Link>
        )}
        <Link className="link" href="/forgot-password">
          {t("forgotYours")}
        </Link>
      </p>
    </>
  );
}
