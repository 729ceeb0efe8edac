import { all, sql } from "@rigmark/db";
import type { RunSpec, RunState } from "@rigmark/protocol";
import type { ScheduleList } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { isoOrNull } from "../internal/moment";

interface Row {
  schedule_id: string;
  name: string;
  host_id: string;
  host_name: string;
  minute: number;
  days: number[];
  wait_h: number;
  spec: RunSpec;
  created_by: string | null;
  next_due_at: Date | null;
  last_due_at: Date | null;
  last_skip: string | null;
  run_id: string | null;
  state: RunState | null;
}

/** The schedules of a workspace: what is due next first, then those that are paused. */
export async function listSchedules({ ctx, input }: Call<{ workspace: string }>): Promise<ScheduleList> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT s.schedule_id, s.name, s.host_id, h.name AS host_name, s.minute, s.days, s.wait_h, s.spec,
          u.name AS created_by, s.next_due_at, s.last_due_at, s.last_skip, r.run_id, r.state
        FROM schedule s JOIN host h USING (workspace_id, host_id)
        LEFT JOIN "user" u ON u.id = s.created_by
        LEFT JOIN run r ON r.workspace_id = s.workspace_id AND r.run_id = s.last_run_id AND r.deleted_at IS NULL
        WHERE s.workspace_id = ${workspaceId}
        ORDER BY s.next_due_at NULLS LAST, s.name, s.schedule_id`,
  );
  return {
    schedules: rows.map(({ host_id, host_name, spec, run_id, state, ...row }) => ({
      ...row,
      host: { host_id, name: host_name },
      entries: spec.entries.map((entry) => entry.label),
      scenarios: spec.scenarios,
      next_due_at: isoOrNull(row.next_due_at),
      last_due_at: isoOrNull(row.last_due_at),
      last_run: run_id !== null && state !== null ? { run_id, state } : null,
    })),
  };
}
