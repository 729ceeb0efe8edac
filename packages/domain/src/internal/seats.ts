import type { Db } from "@rigmark/db";
import type { Ctx } from "../context";
import { DomainError } from "../error";

/** Live pages that are open in this process, by workspace. */
const open = new WeakMap<Db, Map<string, number>>();

/** Counts one more live page of a workspace, or refuses it. Returns a function that gives its place to another. */
export function takeSeat(ctx: Ctx, workspaceId: string): () => void {
  const counts = open.get(ctx.db) ?? new Map<string, number>();
  open.set(ctx.db, counts);
  const taken = counts.get(workspaceId) ?? 0;
  const most = ctx.config.quotas.liveStreams;
  if (taken >= most)
    throw new DomainError(
      "state",
      `This workspace has reached its limit of ${most} open live pages, which follow a run or a new host as it happens. Close one and reload this page, or ask whoever runs this installation to raise the limit (QUOTA_LIVE_STREAMS).`,
    );
  counts.set(workspaceId, taken + 1);
  return () => {
    const left = (counts.get(workspaceId) ?? 1) - 1;
    if (left > 0) counts.set(workspaceId, left);
    else counts.delete(workspaceId);
  };
}
