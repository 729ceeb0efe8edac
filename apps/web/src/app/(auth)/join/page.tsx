import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { getTranslations } from "next-intl/server";
import { GitHubButton } from "@/components/auth/github-button";
import { JoinForm } from "@/components/auth/join-form";
import { PageHead } from "@/components/ui/page-head";
import { plainLine } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { ApiProvider } from "@/trpc/client";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: (await getTranslations("public.auth.join"))("accept"),
  robots: { index: false },
});

/** Where the link of an invitation leads. */
export default async function JoinPage({ searchParams }: PageProps<"/join">) {
  const t = await getTranslations("public.auth");
  const { token: given } = await searchParams;
  const token = typeof given === "string" ? given.slice(0, 200) : "";
  const api = await caller();
  const [invited, { user, providers }] = await Promise.all([api.invitation.get({ token }), api.account.me()]);
  if (invited.joined !== null) redirect(`/w/${invited.joined}`);
  const { state, role, email, proved } = invited;
  const next = `/join?token=${encodeURIComponent(token)}`;
  if (state !== "usable" || role === null)
    return (
      <>
        <PageHead title={t("join.doesNotWork")} />
        <p className="note mb-5">{t(`join.${state === "usable" ? "unknown" : state}`)}</p>
        <Link className="btn" href={user ? "/" : "/sign-in"}>
          {t(user ? "join.home" : "signIn")}
        </Link>
      </>
    );
  const inviter = plainLine(invited.inviter ?? "");
  return (
    <>
      <PageHead title={<bdi>{t("join.title", { workspace: plainLine(invited.workspace ?? "") })}</bdi>}>
        {inviter === "" ? t("join.byUnknown") : t("join.by", { inviter })}{" "}
        {t("join.role", { role: t(`join.roles.${role}`) })}
      </PageHead>
      <ApiProvider>
        <JoinForm
          token={token}
          next={next}
          email={email}
          proved={proved}
          signedInAs={
            user && { email: user.email, fits: email === null || email === user.email.toLowerCase() }
          }
        />
      </ApiProvider>
      {!user && (
        <>
          {providers.github && (
            <div className="mt-4 border-line border-t pt-4">
              <GitHubButton next={next} />
            </div>
          )}
          <p className="mt-5">
            {t("join.haveAccount")}{" "}
            <Link className="link" href={`/sign-in?next=${encodeURIComponent(next)}`}>
              {t("signIn")}
            </Link>
          </p>
        </>
      )}
    </>
  );
}
