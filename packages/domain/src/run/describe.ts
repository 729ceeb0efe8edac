import { sql } from "@rigmark/db";
import { FINAL_STATES } from "@rigmark/protocol";
import type { RunBrief } from "@rigmark/results/public";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { reachRun } from "../internal/reach";
import { type Brief, readBriefs } from "../internal/run/brief";

/** Rows are read again this often without a hint. */
const POLL_MS = 2000;
/** The verdict of a run that ended is written within so long, or by the sweep much later. */
const SETTLED_MS = 10_000;

/** So many requests of one token may wait at a time; one more is answered at once. */
const WAITS_A_TOKEN = 10;
const waiting = new Map<string, number>();

/**
 * A run for the public API. With `waitS` it answers as soon as the run is over and its verdict is there, else after so
 * many seconds.
 */
export async function describeRun({
  ctx,
  input,
}: Call<{ runId: string; waitS?: number | undefined }>): Promise<RunBrief> {
  const { workspaceId } = await reachRun(ctx, input.runId, "read");
  const who = "token" in ctx.actor ? (ctx.actor.token?.tokenId ?? "") : "";
  const waits = waiting.get(who) ?? 0;
  const waitS = waits < WAITS_A_TOKEN ? (input.waitS ?? 0) : 0;
  const until = performance.now() + waitS * 1000;
  const waiter = ctx.bus.wait(topics.run(input.runId));
  waiting.set(who, waits + 1);
  try {
    for (;;) {
      const found = await readBrief(ctx, workspaceId, input.runId);
      const left = until - performance.now();
      if (left <= 0 || ctx.signal?.aborted || isSettled(ctx, found)) return found.brief;
      await waiter.until(Math.min(left, POLL_MS), ctx.signal);
    }
  } finally {
    waiter.stop();
    const left = (waiting.get(who) ?? 1) - 1;
    if (left > 0) waiting.set(who, left);
    else waiting.delete(who);
  }
}

async function readBrief(ctx: Ctx, workspaceId: string, runId: string): Promise<Brief> {
  const [found] = await readBriefs(ctx, workspaceId, sql`r.run_id = ${runId}`, 1);
  if (!found)
    throw new DomainError("not_found", "There is no such run, or you do not belong to its workspace.");
  return found;
}

function isSettled(ctx: Ctx, { row }: Brief): boolean {
  if (!FINAL_STATES.includes(row.state)) return false;
  const since = ctx.now().getTime() - (row.finished_at?.getTime() ?? 0);
  return row.settling !== true || since > SETTLED_MS;
}
