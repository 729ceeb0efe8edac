import { type HistoryBadge, MOST_BADGES } from "@rigmark/results";
import { uuidv7 } from "uuidv7";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { findHost } from "../internal/host/summary";
import { requireFewer } from "../internal/quota";
import { newReportSlug } from "../internal/secret";
import { type BadgeOf, badgeUrl, columnsOf, findBadge } from "./internal/badge";
import { readLabels, readRows } from "./internal/read-rows";

/** A picture that always shows the newest value of a history, for whoever has its address. Made twice it is the same one. */
export async function createBadge({
  ctx,
  input,
}: Call<BadgeOf & { workspace: string }>): Promise<HistoryBadge> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  await findHost(ctx, workspaceId, input.hostId);
  const made = (await findBadge(ctx, workspaceId, input)) ?? (await make(ctx, workspaceId, input));
  return { badge_id: made.badgeId, url: badgeUrl(ctx, made.slug) };
}

async function make(ctx: Ctx, workspaceId: string, of: BadgeOf) {
  const [newest] = await readRows(ctx, workspaceId, of, null, 1);
  const labels = newest ? await readLabels(ctx, workspaceId, newest.run_id) : [];
  if (!labels.some(({ label }) => label === (of.relativeTo ?? of.label)))
    throw new DomainError(
      "not_found",
      "No run has measured this yet; choose a series that has a history, and an entry of its newest run.",
    );
  const { badge } = ctx.db.prisma;
  requireFewer(await badge.count({ where: { workspace_id: workspaceId } }), MOST_BADGES, "badges");
  const [badgeId, slug] = [uuidv7(), newReportSlug()];
  const by = ctx.actor.kind === "user" ? ctx.actor.userId : null;
  try {
    await badge.create({
      data: {
        ...{ workspace_id: workspaceId, badge_id: badgeId, ...columnsOf(of) },
        ...{ created_by: by, created_at: ctx.now(), slug: { create: { slug } } },
      },
    });
  } catch (error) {
    // Somebody else may have made it meanwhile.
    const other = await findBadge(ctx, workspaceId, of);
    if (other) return other;
    throw error;
  }
  await audit(ctx.db, ctx, { workspaceId, what: "badge-created", subject: of.label });
  return { badgeId, slug };
}
