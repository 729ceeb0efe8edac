import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { AuditList } from "@/components/audit/audit-list";
import { Empty } from "@/components/ui/empty";
import { PageHead } from "@/components/ui/page-head";
import { PageLinks } from "@/components/ui/page-links";
import { cursorIn, listPath } from "@/lib/list-address";
import { caller } from "@/trpc/caller";
import { placeOf } from "@/trpc/places";
import { orNotFound } from "@/trpc/reach";

export const metadata: Metadata = { title: "Log" };

export default async function LogPage({ params, searchParams }: PageProps<"/w/[workspace]/log">) {
  const { workspace } = await params;
  const cursor = cursorIn((await searchParams).cursor);
  const api = await caller();
  const here = await placeOf(workspace);
  if (!here.may.includes("readAudit")) notFound();
  const { events, next_cursor } = await orNotFound(api.audit.list({ workspace, cursor }));
  return (
    <>
      <PageHead title="Log">
        Who changed members, hosts, tokens and the workspace itself, and who deleted what. Only admins and
        owners can see this log.
      </PageHead>
      {events.length > 0 ? (
        <AuditList events={events} />
      ) : (
        <Empty title="Nothing yet">
          Invitations, roles, hosts, tokens and deletions are recorded here as they happen.
        </Empty>
      )}
      <PageLinks
        label="Pages of the log"
        cursor={cursor}
        next={next_cursor}
        path={(page) => listPath(`/w/${workspace}/log`, { cursor: page })}
        className="mt-4"
      />
    </>
  );
}
