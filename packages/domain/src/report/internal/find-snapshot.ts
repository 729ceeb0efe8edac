import { ReportSlug } from "@rigmark/results";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { PRESENT, readableWorkspaces, requireScope } from "../../internal/access";
import { readableNow } from "./expiry";
import { keptSnapshot, type Parsed, parseSnapshot } from "./parsed";

export interface Found extends Parsed {
  membersOnly: boolean;
}

/** For anybody who has the link, and of a private one for members. Unknown, revoked, expired and private look the same. */
export async function findSnapshot(ctx: Ctx, slug: string): Promise<Found> {
  const row = ReportSlug.safeParse(slug).success
    ? await ctx.db.prisma.report.findFirst({
        where: { slug: { slug }, ...readableNow(ctx), workspace: PRESENT },
        select: { sha256: true, visibility: true, workspace_id: true, report_id: true },
      })
    : null;
  const membersOnly = row?.visibility === "private";
  if (!row || (membersOnly && !(await isMember(ctx, row.workspace_id)))) throw gone();
  const parsed = keptSnapshot(row.sha256) ?? (await readSnapshot(ctx, row));
  return { ...parsed, membersOnly };
}

interface Stored {
  workspace_id: string;
  report_id: string;
  sha256: string;
}

async function readSnapshot(ctx: Ctx, { workspace_id, report_id, sha256 }: Stored): Promise<Parsed> {
  const row = await ctx.db.prisma.report.findFirst({
    where: { workspace_id, report_id, revoked_at: null },
    select: { snapshot: true },
  });
  if (!row) throw gone();
  return parseSnapshot(sha256, row.snapshot);
}

const gone = (): DomainError =>
  new DomainError(
    "not_found",
    "This report is gone: it was revoked, it expired, or the link is incomplete. Ask whoever sent it.",
  );

async function isMember(ctx: Ctx, workspaceId: string): Promise<boolean> {
  if (ctx.actor.kind !== "user" && ctx.actor.kind !== "workspace") return false;
  if (!(await readableWorkspaces(ctx)).includes(workspaceId)) return false;
  requireScope(ctx.actor, "read");
  return true;
}
