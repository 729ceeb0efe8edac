import { all, sql } from "@rigmark/db";
import type { RunSpec, RunState } from "@rigmark/protocol";
import type { RunPage } from "@rigmark/results";
import { z } from "zod";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { iso, isoOrNull } from "../internal/moment";

interface Row {
  run_id: string;
  title: string;
  state: RunState;
  unreachable: boolean;
  host_id: string;
  host_name: string;
  requested_by: string | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  spec: RunSpec;
  trials_total: number | null;
  trials_done: number;
  trials_valid: number;
  trials_invalid: number;
  headline: string | null;
}

const Cursor = z.tuple([z.iso.datetime(), z.uuid()]);

/** The last run of a page: the next page goes on behind it. */
const encode = (row: Row): string =>
  Buffer.from(JSON.stringify([iso(row.created_at), row.run_id])).toString("base64url");
function decode(cursor: string) {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch (cause) {
    throw new DomainError(
      "invalid",
      "This page of the list is not there; begin at the first one.",
      {},
      { cause },
    );
  }
}

/** Newest first. */
export async function listRuns({
  ctx,
  input,
}: Call<{
  workspace: string;
  cursor?: string | null | undefined;
  limit: number;
  hostId?: string | undefined;
}>): Promise<RunPage> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  const [at, id] = input.cursor ? decode(input.cursor) : [null, null];
  const rows = await all<Row>(
    ctx.db,
    sql`SELECT r.run_id, r.title, r.state, r.unreachable, h.host_id, h.name AS host_name, u.name AS requested_by,
          r.created_at, r.started_at, r.finished_at, r.spec, r.trials_total, r.trials_done, r.trials_valid,
          r.trials_invalid, r.headline
        FROM run r JOIN run_host x USING (workspace_id, run_id) JOIN host h USING (workspace_id, host_id)
        LEFT JOIN "user" u ON u.id = r.requested_by
        WHERE r.workspace_id = ${workspaceId}
          AND (${at}::timestamptz IS NULL OR (r.created_at, r.run_id) < (${at}::timestamptz, ${id}::uuid))
          AND (${input.hostId ?? null}::uuid IS NULL OR h.host_id = ${input.hostId ?? null}::uuid)
        ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${input.limit + 1}`,
  );
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    runs: page.map((row) => ({
      run_id: row.run_id,
      title: row.title,
      state: row.state,
      unreachable: row.unreachable,
      host: { host_id: row.host_id, name: row.host_name },
      requested_by: row.requested_by,
      created_at: iso(row.created_at),
      started_at: isoOrNull(row.started_at),
      finished_at: isoOrNull(row.finished_at),
      entries: row.spec.entries.map(({ label, server }) => ({ label, server })),
      scenarios: row.spec.scenarios,
      repeats: row.spec.repeats,
      trials: {
        total: row.trials_total,
        done: row.trials_done,
        valid: row.trials_valid,
        invalid: row.trials_invalid,
      },
      headline: row.headline,
    })),
    next_cursor: rows.length > page.length && last ? encode(last) : null,
  };
}
