import { all, one, run, sql } from "@rigmark/db";
import type { Source } from "@rigmark/protocol";
import type { Ctx } from "../context";
import { requireSystem } from "../internal/access";
import { type Ended, type Found, findingsOf } from "./internal/findings";
import { messageOf } from "./internal/message";
import { putAlert, receiversOf } from "./internal/outbox";

/**
 * Looks at the runs that ended since, and keeps an alert for each that shows something new: for the workspace's front page,
 * and for whoever is told. Several processes may do it at
 * the same time: each run is looked at by one. Returns how many alerts there are.
 */
export async function findAlerts({ ctx }: { ctx: Ctx }): Promise<number> {
  requireSystem(ctx);
  let alerts = 0;
  for (;;) {
    const found = await lookAtNext(ctx);
    if (found === null) return alerts;
    if (found) alerts += 1;
  }
}

/** Null: there is no run left. */
const lookAtNext = (ctx: Ctx): Promise<boolean | null> =>
  ctx.db.tx(async (tx) => {
    const next = await one<{ workspace_id: string; run_id: string }>(
      tx,
      sql`SELECT workspace_id, run_id FROM alert_check ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
    );
    if (!next) return null;
    const key = { workspaceId: next.workspace_id, runId: next.run_id };
    await run(
      tx,
      sql`DELETE FROM alert_check WHERE workspace_id = ${key.workspaceId} AND run_id = ${key.runId}`,
    );
    const receivers = await receiversOf(tx, key.workspaceId);
    const made = await tryMake(ctx, key);
    return made !== null && putAlert(tx, { ...key, ...made, receivers }, ctx.now());
  });

interface RunRow {
  slug: string;
  title: string;
  source: Source | null;
  host_id: string;
  host_name: string;
}

/** A run that cannot be read must not hold up the others. */
async function tryMake(ctx: Ctx, key: { workspaceId: string; runId: string }) {
  try {
    return await make(ctx, key);
  } catch (error) {
    ctx.log.error({ err: error, run_id: key.runId }, "A finished run could not be looked at for alerts.");
    return null;
  }
}

async function make(ctx: Ctx, key: { workspaceId: string; runId: string }) {
  const row = await one<RunRow>(
    ctx.db,
    sql`SELECT s.slug, r.title, r.source, h.host_id, h.name AS host_name
        FROM run r JOIN workspace_slug s USING (workspace_id) JOIN run_host x USING (workspace_id, run_id)
        JOIN host h USING (workspace_id, host_id)
        WHERE r.workspace_id = ${key.workspaceId} AND r.run_id = ${key.runId}`,
  );
  if (!row) return null;
  const ended: Ended = { ...key, slug: row.slug, hostId: row.host_id };
  const found = await withoutKnown(ctx, key.workspaceId, await findingsOf(ctx, ended));
  if (found.length === 0) return null;
  const url = `${ctx.config.publicUrl}/w/${row.slug}/runs/${key.runId}`;
  const about = { id: key.runId, title: row.title, url, host: row.host_name, source: row.source };
  const findings = found.map(({ finding }) => finding);
  return {
    message: messageOf(ctx, row.slug, about, findings),
    changes: found.flatMap(({ change }) => change ?? []),
  };
}

/** Nobody is told twice of a change, also where its history was read anew after a run was deleted. */
async function withoutKnown(ctx: Ctx, workspaceId: string, found: Found[]): Promise<Found[]> {
  const names = found.flatMap(({ change }) => change ?? []);
  if (names.length === 0) return found;
  const rows = await all<{ changes: string[] }>(
    ctx.db,
    sql`SELECT changes FROM alert WHERE workspace_id = ${workspaceId} AND changes && ${names}::text[]`,
  );
  const known = new Set(rows.flatMap((row) => row.changes));
  return found.filter(({ change }) => change === null || !known.has(change));
}
