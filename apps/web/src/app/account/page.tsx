import type { Metadata } from "next";
import Link from "next/link";
import { DeleteAccount } from "@/components/account/delete-account";
import { DeletedWorkspaces } from "@/components/account/deleted-workspaces";
import { ExportAccount } from "@/components/account/export-account";
import { SessionList } from "@/components/account/session-list";
import { PageHead } from "@/components/ui/page-head";
import { plainLine } from "@/lib/text";
import { caller } from "@/trpc/caller";
import { toSignIn } from "@/trpc/reach";

export const metadata: Metadata = { title: "Your account" };

export default async function AccountPage() {
  const api = await caller();
  const { user } = await api.account.me();
  // The layout does so, too, but not again when one comes from another page below it.
  if (!user) return toSignIn();
  const [workspaces, deleted, sessions] = await Promise.all([
    api.workspace.list(),
    api.workspace.deleted(),
    api.account.sessions(),
  ]);
  return (
    <div className="max-w-[44rem] space-y-8">
      <PageHead title="Your account">
        <bdi>{plainLine(user.name)}</bdi>, <bdi>{user.email}</bdi>
      </PageHead>
      <section>
        <h2 className="mb-2">Workspaces</h2>
        {workspaces.length === 0 ? (
          <p className="note">
            You are not a member of any workspace. Create one in the Workspaces menu above, or ask for an
            invitation.
          </p>
        ) : (
          <ul className="panel divide-y divide-line">
            {workspaces.map((workspace) => (
              <li key={workspace.slug} className="flex flex-wrap gap-x-3 px-4 py-3">
                <Link className="link [overflow-wrap:anywhere]" href={`/w/${workspace.slug}`}>
                  <bdi>{plainLine(workspace.name)}</bdi>
                </Link>
                <span className="text-ink-2">{workspace.role}</span>
              </li>
            ))}
          </ul>
        )}
      </section>
      {deleted.workspaces.length > 0 && (
        <section>
          <h2 className="mb-2">Deleted workspaces</h2>
          <DeletedWorkspaces list={deleted} />
        </section>
      )}
      <section>
        <h2 className="mb-2">Where you are signed in</h2>
        <SessionList initial={sessions} />
      </section>
      <section>
        <h2 className="mb-2">Your data</h2>
        <p className="mb-3 text-ink-2">
          What this installation knows about you: name, email address, sessions, tokens without their secrets,
          and workspaces. To export a workspace, open its settings.
        </p>
        <ExportAccount />
      </section>
      <section>
        <h2 className="mb-2">Delete the account</h2>
        <p className="mb-3 text-ink-2">
          You can delete your account only within an hour of signing in, and not while you are the only owner
          of a workspace with other members.
        </p>
        <DeleteAccount email={user.email} />
      </section>
    </div>
  );
}
