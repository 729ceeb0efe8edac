import type { Metadata } from "next";
import { NewToken } from "@/components/token/new-token";
import { TokenList } from "@/components/token/token-list";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Tokens" };

export default async function TokensPage({ params }: PageProps<"/w/[workspace]/tokens">) {
  const { workspace } = await params;
  const api = await caller();
  const [list, { public_url }] = await Promise.all([
    orNotFound(api.token.list({ workspace })),
    api.account.me(),
  ]);
  return (
    <>
      <PageHead
        title="Tokens of this workspace"
        actions={list.may_change && <NewToken workspace={workspace} publicUrl={public_url} />}
      >
        They belong to the workspace. One is revoked when the person who created it leaves or is no longer an
        admin or an owner.
        {!list.may_change && " Only admins and owners can create and revoke them."}{" "}
        <a className="link" href="/docs/api">
          How to use the API
        </a>
      </PageHead>
      <TokenList workspace={workspace} initial={list} />
    </>
  );
}
