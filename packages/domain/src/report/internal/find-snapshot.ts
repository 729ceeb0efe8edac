import { ReportSlug, ReportSnapshot } from "@rigmark/results";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { PRESENT, readableWorkspaces, requireScope } from "../../internal/access";
import { completeSummary } from "../../internal/run/complete-summary";
import { readableNow } from "./expiry";

interface Found {
  snapshot: ReportSnapshot;
  membersOnly: boolean;
}

/** For anybody who has the link, and of a private one for members. Unknown, revoked, expired and private look the same. */
export async function findSnapshot(ctx: Ctx, slug: string): Promise<Found> {
  const row = ReportSlug.safeParse(slug).success
    ? await ctx.db.prisma.report.findFirst({
        where: { slug: { slug }, ...readableNow(ctx), workspace: PRESENT },
        select: { snapshot: true, visibility: true, workspace_id: true },
      })
    : null;
  const membersOnly = row?.visibility === "private";
  if (!row || (membersOnly && !(await isMember(ctx, row.workspace_id)))) {
    throw new DomainError(
      "not_found",
      "This report is gone: it was revoked, it expired, or the link is incomplete. Ask whoever sent it.",
    );
  }
  const snapshot = ReportSnapshot.parse(JSON.parse(row.snapshot));
  return { snapshot: { ...snapshot, runs: snapshot.runs.map(completeSummary) }, membersOnly };
}

async function isMember(ctx: Ctx, workspaceId: string): Promise<boolean> {
  if (ctx.actor.kind !== "user" && ctx.actor.kind !== "workspace") return false;
  if (!(await readableWorkspaces(ctx)).includes(workspaceId)) return false;
  requireScope(ctx.actor, "read");
  return true;
}
