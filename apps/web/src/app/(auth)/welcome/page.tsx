import type { Metadata } from "next";
import Link from "next/link";
import { WelcomeForm } from "@/components/auth/welcome-form";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { ApiProvider } from "@/trpc/client";

export const metadata: Metadata = { title: "Welcome" };

export default async function WelcomePage({ searchParams }: PageProps<"/welcome">) {
  const { token } = await searchParams;
  const api = await caller();
  const [{ claimed }, { user }] = await Promise.all([api.setup.status(), api.account.me()]);
  if (claimed !== false || typeof token !== "string" || token === "")
    return (
      <>
        <PageHead title="Welcome" />
        <p className="note mb-5">
          {claimed === true
            ? "This installation has its owner already; the link worked once."
            : claimed === null
              ? "Nothing waits for an owner here. Create an account to get a workspace."
              : "This address lacks its token. Open the whole link that was printed when Rigmark started."}
        </p>
        <Link className="btn" href={claimed === null ? "/sign-up" : "/sign-in"}>
          {claimed === null ? "Create account" : "Sign in"}
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
