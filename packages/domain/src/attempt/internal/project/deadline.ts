import { run, sql, type Tx } from "@rigmark/db";
import type { RecordOf } from "@rigmark/protocol";
import { BUILD_STEP_S, DEADLINE_FACTOR } from "../timing";
import type { Target } from "./index";

/** From now on, in seconds: what is planned, stretched, and the grace. */
const allowed = (to: Target) => sql`planned_s * ${DEADLINE_FACTOR}::float8 + ${to.graceS}::float8`;

/** A run that is to stop has been given its last time, and no record changes that. */
const goingOn = (to: Target) =>
  sql`workspace_id = ${to.workspaceId} AND run_id = ${to.runId} AND attempt_no = ${to.attemptNo} AND cancel_requested_at IS NULL`;

/** The plan is known, so the run has its seconds and no longer those of a run without one. */
export const setDeadline = (tx: Tx, to: Target) =>
  run(
    tx,
    sql`UPDATE run SET deadline_at = ${to.now}::timestamptz + make_interval(secs => ${allowed(to)}) WHERE ${goingOn(to)}`,
  );

/**
 * Builds come after the plan and are not among its seconds. Whenever one begins or ends there is time for one more of
 * them and then for the whole plan.
 */
export async function extendDeadline(tx: Tx, to: Target, phases: RecordOf<"phase">[]): Promise<void> {
  if (!phases.some(({ data }) => data.phase === "build")) return;
  await run(
    tx,
    sql`UPDATE run SET revision = revision + 1, deadline_at = greatest(deadline_at,
            ${to.now}::timestamptz + make_interval(secs => ${BUILD_STEP_S}::float8 + ${allowed(to)}))
          WHERE ${goingOn(to)} AND planned_s IS NOT NULL`,
  );
}
