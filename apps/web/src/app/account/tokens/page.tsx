import type { Metadata } from "next";
import { NewToken } from "@/components/token/new-token";
import { TokenList } from "@/components/token/token-list";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Your tokens" };

export default async function AccountTokensPage() {
  const api = await caller();
  const [list, { public_url }] = await Promise.all([
    orNotFound(api.token.list({ workspace: null })),
    api.account.me(),
  ]);
  return (
    <>
      <PageHead title="Your tokens" actions={<NewToken workspace={null} publicUrl={public_url} />}>
        A program with one of these acts as you in all of your workspaces, within its scopes.{" "}
        <a className="link" href="/docs/api">
          How to use the API
        </a>
      </PageHead>
      <TokenList workspace={null} initial={list} />
    </>
  );
}
