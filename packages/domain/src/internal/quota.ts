import { one, type Queryable, sql, type Tx } from "@rigmark/db";
import type { Ctx } from "../context";
import { DomainError } from "../error";

/** What a workspace may have at most; whoever runs the installation sets it. Nothing that has begun is ended by it. */
export interface Quotas {
  hosts: number;
  /** That wait for a host. */
  queuedRuns: number;
  /** Of journals, raw output and reports, counted before compression; null: no limit. */
  storedBytes: number | null;
  /** Live pages that are open, in each process of the app. */
  liveStreams: number;
}
export const QUOTAS: Quotas = { hosts: 200, queuedRuns: 500, storedBytes: null, liveStreams: 1_000 };

const GIB = 1024 ** 3;

const plural = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

const refuse = (what: string, cure: string, setting: string): DomainError =>
  new DomainError(
    "state",
    `This workspace has reached its limit of ${what}; ${cure}, or ask whoever runs this installation to raise the limit (${setting}).`,
  );

/** Whoever counts for a workspace counts alone, until the end of the transaction. */
export const countAlone = (tx: Tx, workspaceId: string) =>
  tx.query(sql`SELECT pg_advisory_xact_lock(hashtextextended(${workspaceId}, 0))`);

/** Refuses one more of what people delete themselves. */
export function requireFewer(had: number | undefined, most: number, what: string): void {
  if ((had ?? 0) >= most)
    throw new DomainError(
      "state",
      `A workspace has at most ${most} ${what}; delete one that you do not need.`,
    );
}

/** Refuses one host more. */
export async function requireHostRoom(tx: Tx, ctx: Ctx, workspaceId: string): Promise<void> {
  const most = ctx.config.quotas.hosts;
  await countAlone(tx, workspaceId);
  const row = await one<{ n: number }>(
    tx,
    sql`SELECT count(*)::int AS n FROM host WHERE workspace_id = ${workspaceId} AND revoked_at IS NULL AND kind = 'agent'`,
  );
  if ((row?.n ?? 0) >= most)
    throw refuse(plural(most, "host"), "remove one that you do not need", "QUOTA_HOSTS");
}

/** Refuses one run more, where too many wait or too much is stored. */
export async function requireRunRoom(tx: Tx, ctx: Ctx, workspaceId: string): Promise<void> {
  const most = ctx.config.quotas.queuedRuns;
  await countAlone(tx, workspaceId);
  const row = await one<{ n: number }>(
    tx,
    sql`SELECT count(*)::int AS n FROM run WHERE workspace_id = ${workspaceId} AND state = 'queued' AND finished_at IS NULL`,
  );
  if ((row?.n ?? 0) >= most)
    throw refuse(
      `${plural(most, "run")} in the queue`,
      "wait until hosts have started some, or cancel some",
      "QUOTA_QUEUED_RUNS",
    );
  await requireStoredRoom(tx, ctx, workspaceId);
}

/** Refuses what would store more. */
export async function requireStoredRoom(on: Queryable, ctx: Ctx, workspaceId: string): Promise<void> {
  const refusal = await refusalToStore(on, ctx, workspaceId);
  if (refusal) throw refusal;
}

/** Why a workspace may store no more; null where it may. */
export async function refusalToStore(
  on: Queryable,
  ctx: Ctx,
  workspaceId: string,
): Promise<DomainError | null> {
  const most = ctx.config.quotas.storedBytes;
  if (most === null || (await storedBytesOf(on, workspaceId)) < most) return null;
  return refuse(
    `${most / GIB} GiB of measurements and reports`,
    "delete runs that you do not need (a deleted run still counts for seven days) or revoke reports",
    "QUOTA_STORED_GIB",
  );
}

/** Journals, raw output and reports of a workspace before compression, with deleted runs that can be restored. */
export async function storedBytesOf(on: Queryable, workspaceId: string): Promise<number> {
  const row = await one<{ bytes: number }>(
    on,
    sql`SELECT (SELECT coalesce(sum(bytes), 0) FROM stream WHERE workspace_id = ${workspaceId})::float8
          + (SELECT coalesce(sum(octet_length(snapshot)), 0) FROM report WHERE workspace_id = ${workspaceId})::float8 AS bytes`,
  );
  return row?.bytes ?? 0;
}
