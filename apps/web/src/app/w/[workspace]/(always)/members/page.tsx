import type { Metadata } from "next";
import { InvitationList } from "@/components/member/invitation-list";
import { Invite } from "@/components/member/invite";
import { MemberList } from "@/components/member/member-list";
import { PageHead } from "@/components/ui/page-head";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Members" };

export default async function MembersPage({ params }: PageProps<"/w/[workspace]/members">) {
  const { workspace } = await params;
  const api = await caller();
  const [members, here, { providers }] = await Promise.all([
    orNotFound(api.member.list({ workspace })),
    placeOf(workspace),
    api.account.me(),
  ]);
  const manages = here.may.includes("manageMembers");
  const invitations = manages ? await api.invitation.list({ workspace }) : null;
  return (
    <div className="space-y-8">
      <section>
        <PageHead
          title="Members"
          actions={
            manages && (
              <Invite workspace={workspace} roles={members.may_give} mails={providers.mail === "smtp"} />
            )
          }
        >
          Members see all hosts, runs and reports of this workspace. Their role decides what they can change.
          {manages &&
            " When somebody leaves or is no longer an admin or an owner, the tokens of this workspace that they created are revoked."}
        </PageHead>
        <MemberList workspace={workspace} initial={members} />
      </section>
      {invitations && (
        <section>
          <h2 className="mb-2">Invitations</h2>
          <InvitationList workspace={workspace} initial={invitations} />
        </section>
      )}
    </div>
  );
}
