import { one, sql } from "@rigmark/db";
import type { RetentionView } from "@rigmark/results";
import { KEEP_TAG } from "@rigmark/results/retention";
import type { Call, Ctx } from "../context";
import { enterWorkspace } from "../internal/access";
import { isoOrNull } from "../internal/moment";
import { storedBytesOf } from "../internal/quota";
import { beforeDays, isOld } from "./internal/old-runs";

/** The rule in force, and what the rule that is asked about would delete now. Nothing is deleted here. */
export async function getRetention({
  ctx,
  input,
}: Call<{ workspace: string; days: number | null }>): Promise<RetentionView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "deleteRuns");
  const workspace = await ctx.db.prisma.workspace.findUniqueOrThrow({
    where: { workspace_id: workspaceId },
    select: { retention_days: true },
  });
  return {
    days: workspace.retention_days,
    stored_bytes: await storedBytesOf(ctx.db, workspaceId),
    stored_bytes_most: ctx.config.quotas.storedBytes,
    would_delete: input.days === null ? null : await wouldDelete(ctx, workspaceId, input.days),
    keep_tag: KEEP_TAG,
  };
}

interface Row {
  runs: number;
  bytes: number;
  oldest_at: Date | null;
  newest_at: Date | null;
}

async function wouldDelete(ctx: Ctx, workspaceId: string, days: number) {
  const now = ctx.now();
  const row = await one<Row>(
    ctx.db,
    sql`SELECT count(*)::int AS runs, min(r.finished_at) AS oldest_at, max(r.finished_at) AS newest_at,
          coalesce(sum((SELECT sum(s.bytes) FROM attempt a JOIN stream s USING (workspace_id, attempt_id)
            WHERE a.workspace_id = r.workspace_id AND a.run_id = r.run_id)), 0)::float8 AS bytes
        FROM run r WHERE ${isOld(workspaceId, beforeDays(now, days), now)}`,
  );
  if (!row) return { runs: 0, bytes: 0, oldest_at: null, newest_at: null };
  const { runs, bytes, oldest_at, newest_at } = row;
  return { runs, bytes, oldest_at: isoOrNull(oldest_at), newest_at: isoOrNull(newest_at) };
}
