import { one, run, sql, type Tx } from "@rigmark/db";
import type { Lease, LeaseRequest, LeaseResponse, RunSpec } from "@rigmark/protocol";
import { uuidv7 } from "uuidv7";
import type { z } from "zod";
import type { Call, Ctx } from "../context";
import { enterAsAgent } from "../internal/access";
import { topics } from "../internal/bus";
import { revoked } from "../internal/host/revoked";
import { later } from "../internal/moment";
import { storable } from "../internal/text";
import { endWithoutRoom } from "./internal/end-without-room";
import { freeHost } from "./internal/free-host";
import { openStreams } from "./internal/stream";
import { HEARTBEAT_S, LEASE_S } from "./internal/timing";

type Request = z.infer<typeof LeaseRequest>;
type Response = z.infer<typeof LeaseResponse>;
interface Claimed {
  run_id: string;
  attempt_id: string;
  attempt_no: number;
  spec: RunSpec;
}

/** Rows are read again this often when no hint comes. */
const POLL_MS = 2000;

/** The poll that is held for each host. An agent has one; an older one is over when the next comes. */
const held = new Map<string, symbol>();

/** Hands the oldest queued run to the asking host; waits for one when there is none. */
export async function leaseAttempt({ ctx, input }: Call<Request>): Promise<Response> {
  const { hostId } = enterAsAgent(ctx);
  const mine = Symbol(hostId);
  held.set(hostId, mine);
  const wanted = await catalogueWanted(ctx, input.catalogue_digest);
  const until = Date.now() + ctx.config.longPollMs;
  const waiter = ctx.bus.wait(topics.host(hostId));
  try {
    for (let first = true; ; first = false) {
      // Nobody is there to take it any more.
      if (ctx.signal?.aborted || held.get(hostId) !== mine) return { lease: null, catalogue_wanted: wanted };
      const claimed = await claim(ctx, input, first);
      if (claimed === "busy") return { lease: null, catalogue_wanted: wanted };
      if (claimed) return { lease: toLease(ctx, input, claimed), catalogue_wanted: wanted };
      const left = until - Date.now();
      if (wanted || left <= 0) return { lease: null, catalogue_wanted: wanted };
      await waiter.until(Math.min(left, POLL_MS), ctx.signal);
    }
  } finally {
    waiter.stop();
    if (held.get(hostId) === mine) held.delete(hostId);
  }
}

const toLease = (ctx: Ctx, input: Request, c: Claimed): z.infer<typeof Lease> => ({
  run_id: c.run_id,
  attempt_id: c.attempt_id,
  attempt_no: c.attempt_no,
  spec: c.spec,
  lease_s: LEASE_S,
  heartbeat_s: HEARTBEAT_S,
  control_plane_same_host: ctx.config.bootId !== null && ctx.config.bootId === input.boot_id,
});

/**
 * The agent names its catalogue by a digest of its own making. A catalogue that was just stored has no name yet and
 * takes the one that comes first; any other name means that the agent has a newer one.
 */
async function catalogueWanted(ctx: Ctx, digest: string): Promise<boolean> {
  const { workspaceId, hostId } = enterAsAgent(ctx);
  const row = await one<{ catalogue_digest: string | null }>(
    ctx.db,
    sql`UPDATE host SET catalogue_digest = coalesce(catalogue_digest, ${digest})
        WHERE workspace_id = ${workspaceId} AND host_id = ${hostId} AND catalogue_at IS NOT NULL AND facts_at IS NOT NULL
        RETURNING catalogue_digest`,
  );
  return row?.catalogue_digest !== digest;
}

/**
 * Only what has just been asked says that the agent is idle. A poll that is held may be of a process that is gone: when
 * the host has an attempt of another request by then, it is busy, and this poll is over.
 */
async function claim(ctx: Ctx, input: Request, first: boolean): Promise<Claimed | "busy" | null> {
  const { workspaceId, hostId } = enterAsAgent(ctx);
  const now = ctx.now();
  const { claimed, touched } = await ctx.db.tx(async (tx) => {
    // One claim at a time a host, so that two polls of one agent cannot both win.
    const host = await one<{ revoked_at: Date | null }>(
      tx,
      sql`SELECT revoked_at FROM host WHERE workspace_id = ${workspaceId} AND host_id = ${hostId} FOR UPDATE`,
    );
    // It may have been revoked while its poll was held.
    if (!host || host.revoked_at) throw revoked();
    const again = await one<Claimed>(
      tx,
      sql`SELECT a.run_id, a.attempt_id, a.attempt_no, r.spec FROM attempt a JOIN run r USING (workspace_id, run_id)
          WHERE a.workspace_id = ${workspaceId} AND a.host_id = ${hostId} AND a.request_id = ${input.request_id}
            AND a.live AND r.attempt_no = a.attempt_no`,
    );
    if (again) return { claimed: again, touched: [] };
    const used = await one(
      tx,
      sql`SELECT 1 FROM attempt WHERE workspace_id = ${workspaceId} AND host_id = ${hostId} AND request_id = ${input.request_id}`,
    );
    if (used) return { claimed: null, touched: [] };
    const busy =
      !first &&
      (await one(
        tx,
        sql`SELECT 1 FROM attempt WHERE workspace_id = ${workspaceId} AND host_id = ${hostId} AND live`,
      ));
    if (busy) return { claimed: "busy" as const, touched: [] };
    const freed = await freeHost(tx, { workspaceId, hostId, now });
    const ended = await endWithoutRoom(tx, ctx, { workspaceId, hostId, now });
    const next = await takeNext(tx, {
      workspaceId,
      hostId,
      requestId: input.request_id,
      bootId: input.boot_id,
      now,
    });
    return { claimed: next, touched: [...freed, ...ended, ...(next ? [next.run_id] : [])] };
  });
  for (const runId of touched) ctx.bus.hint(topics.run(runId));
  return claimed;
}

async function takeNext(
  tx: Tx,
  at: { workspaceId: string; hostId: string; requestId: string; bootId: string; now: Date },
): Promise<Claimed | null> {
  const attemptId = uuidv7();
  const taken = await one<{ run_id: string; attempt_no: number; spec: RunSpec }>(
    tx,
    sql`UPDATE run SET state = 'leased', attempt_no = attempt_no + 1, leased_at = ${at.now}, revision = revision + 1,
          unreachable = false, trials_total = NULL, trials_done = 0, trials_valid = 0, trials_invalid = 0, planned_s = NULL
        WHERE workspace_id = ${at.workspaceId} AND state = 'queued' AND run_id = (
          SELECT r.run_id FROM run r JOIN run_host h USING (workspace_id, run_id)
          WHERE r.workspace_id = ${at.workspaceId} AND h.host_id = ${at.hostId} AND r.state = 'queued'
            AND (r.expires_at IS NULL OR r.expires_at > ${at.now})
          ORDER BY r.created_at, r.run_id LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
        RETURNING run_id, attempt_no, spec`,
  );
  if (!taken) return null;
  await run(
    tx,
    sql`INSERT INTO attempt (workspace_id, attempt_id, run_id, attempt_no, host_id, request_id, created_at, lease_expires_at, boot_id)
        VALUES (${at.workspaceId}, ${attemptId}, ${taken.run_id}, ${taken.attempt_no}, ${at.hostId}, ${at.requestId},
          ${at.now}, ${later(at.now, LEASE_S)}, ${storable(at.bootId)})`,
  );
  await openStreams(tx, { workspaceId: at.workspaceId, attemptId });
  return { ...taken, attempt_id: attemptId };
}
