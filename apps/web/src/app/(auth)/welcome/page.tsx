import type { Metadata } from "next";
import Link from "next/link";
import { WelcomeForm } from "@/components/auth/welcome-form";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { ApiProvider } from "@/trpc/client";

export const metadata: Metadata = { title: "Welcome" };

export default async function WelcomePage({ searchParams }: PageProps<"/welcome">) {
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
        <PageHead title={claimed === false ? "This link does not work" : "Welcome"} />
        <p className="note mb-5">
          {claimed === true
            ? "This installation has its owner already. The link for the first owner works once."
            : claimed === null
              ? "Nothing waits for an owner here."
              : (link?.message ??
                "The link is not whole: its token is missing. Open all of the link that was printed when Rigmark started.")}
        </p>
        <Link className="btn" href="/sign-in">
          Sign in
        </Link>
      </>
    );
  return (
    <>
      <PageHead title="Create account">
        You are this installation's first owner: its workspace, its host and its first run will be yours.
      </PageHead>
      <ApiProvider>
        <WelcomeForm token={token} signedInAs={user?.email ?? null} />
      </ApiProvider>
    </>
  );
}
