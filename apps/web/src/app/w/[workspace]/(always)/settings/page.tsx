import type { Metadata } from "next";
import { PageHead } from "@/components/ui/page-head";
import { DeleteWorkspace } from "@/components/workspace/delete-workspace";
import { RenameWorkspace } from "@/components/workspace/rename-workspace";
import { Retention } from "@/components/workspace/retention";
import { caller } from "@/trpc/caller";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Settings" };

export default async function SettingsPage({ params }: PageProps<"/w/[workspace]/settings">) {
  const { workspace } = await params;
  const api = await caller();
  const here = await orNotFound(api.workspace.get({ workspace }));
  const [retention, { home }] = await Promise.all([
    here.may.includes("deleteRuns") ? api.workspace.retention({ workspace }) : null,
    api.setup.status(),
  ]);
  return (
    <div className="max-w-[44rem] space-y-8">
      <PageHead title="Settings of this workspace">
        Its address is <code>/w/{here.slug}</code>. Your role is {here.role}.
      </PageHead>
      {here.may.includes("renameWorkspace") && (
        <section>
          <h2 className="mb-2">Rename the workspace</h2>
          <RenameWorkspace workspace={here} />
        </section>
      )}
      {retention && (
        <section>
          <h2 className="mb-2">Old runs</h2>
          <Retention workspace={here.slug} retention={retention} />
        </section>
      )}
      {here.may.includes("exportWorkspace") && (
        <section>
          <h2 className="mb-2">Export</h2>
          <p className="mb-3 text-ink-2">
            One JSON file with members, hosts, schedules, webhooks without their secrets, runs with their
            results, and reports. For the samples, logs and raw output of each run, use the{" "}
            <a className="link" href="/docs/api">
              API
            </a>
            .
          </p>
          <a className="btn" href={`/w/${here.slug}/export`} download>
            Download as JSON
          </a>
        </section>
      )}
      {here.may.includes("deleteWorkspace") && (
        <section>
          <h2 className="mb-2">Delete the workspace</h2>
          {here.slug === home ? (
            <p className="text-ink-2">This is the installation's own workspace; it cannot be deleted.</p>
          ) : (
            <>
              <p className="mb-3 text-ink-2">Its owners can restore it for seven days; then it is removed.</p>
              <DeleteWorkspace workspace={here} />
            </>
          )}
        </section>
      )}
    </div>
  );
}
