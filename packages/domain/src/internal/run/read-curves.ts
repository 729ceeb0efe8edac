import { all, sql } from "@rigmark/db";
import type { LatencyCurve } from "@rigmark/results";
import { type CurveInput, curve } from "@rigmark/stats";
import type { Ctx } from "../../context";

interface Row {
  entry_key: string;
  resolution_us: number;
  corrected: boolean;
  trials: number;
  blobs: string[];
  requests: NonNullable<CurveInput["trials"]>;
  over_time: NonNullable<CurveInput["over_time"]> | null;
}

/** Latency curves of an attempt: one for each entry and scenario whose valid trials have histograms. */
async function readCurves(
  ctx: Ctx,
  key: { workspaceId: string; attemptId: string },
  mostColumns: number | undefined,
): Promise<LatencyCurve[]> {
  const scenarios = await ctx.db.prisma.runScenario.findMany({
    where: { workspace_id: key.workspaceId, attempt_id: key.attemptId },
    select: { scenario_id: true },
    orderBy: { position: "asc" },
  });
  const curves: LatencyCurve[] = [];
  // One scenario at a time: a long run's histograms are many megabytes.
  for (const { scenario_id } of scenarios) {
    const rows = await all<Row>(
      ctx.db,
      sql`SELECT entry_key, max(h.resolution_us) AS resolution_us, bool_or(h.corrected) AS corrected,
            count(DISTINCT t.trial_id)::int AS trials, array_agg(encode(h.blob, 'base64') ORDER BY t.ordinal, h.seq) AS blobs,
            jsonb_agg(DISTINCT jsonb_build_object('trial', t.trial_id, 'requests', t.result->'requests',
              'failures_total', t.result->'failures'->'total', 'offered', t.result->'offered')) AS requests,
            jsonb_agg(jsonb_build_object('block', t.block, 'columns', h.over_time) ORDER BY t.ordinal, h.seq)
              FILTER (WHERE h.over_time IS NOT NULL) AS over_time
          FROM trial t JOIN histogram h USING (workspace_id, attempt_id, trial_id)
          JOIN entry e USING (workspace_id, attempt_id, entry_key)
          WHERE t.workspace_id = ${key.workspaceId} AND t.attempt_id = ${key.attemptId}
            AND t.scenario_id = ${scenario_id} AND t.state = 'valid' AND t.result IS NOT NULL
          GROUP BY entry_key, e.position ORDER BY e.position`,
    );
    for (const { blobs, requests, over_time, ...row } of rows) {
      const merged = curve({
        // PostgreSQL breaks base64 into lines.
        blobs: blobs.map((blob) => blob.replaceAll("\n", "")),
        trials: requests,
        over_time: over_time ?? [],
        ...(mostColumns !== undefined && { most_columns: mostColumns }),
      });
      curves.push({ scenario: scenario_id, ...row, ...merged });
    }
  }
  return curves;
}

/** The same for a page, which must open even when an agent sent what cannot be read. `mostColumns`: of each heat map. */
export async function tryReadCurves(
  ctx: Ctx,
  key: { workspaceId: string; attemptId: string },
  mostColumns?: number,
): Promise<LatencyCurve[]> {
  try {
    return await readCurves(ctx, key, mostColumns);
  } catch (error) {
    ctx.log.error(
      { err: error, attempt_id: key.attemptId },
      "The latency curves of a run could not be made.",
    );
    return [];
  }
}
