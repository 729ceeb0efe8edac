import { one, type Queryable, sql } from "@rigmark/db";
import type { RunState, StreamName } from "@rigmark/protocol";
import type { Publication } from "@rigmark/results/public";
import type { Ctx } from "../../../context";
import { DomainError } from "../../../error";
import type { Publisher } from "./publisher";

/** A run that somebody published, or is publishing, with its only attempt. */
export interface Published {
  run_id: string;
  title: string;
  state: RunState;
  published_by: string;
  host_id: string;
  host_name: string;
  attempt_id: string;
  attempt_no: number;
  finished_at: Date | null;
  deleted_at: Date | null;
}

interface Row extends Omit<Published, "published_by" | "attempt_id" | "attempt_no"> {
  published_by: string | null;
  attempt_id: string | null;
  attempt_no: number | null;
}

/** Null where there is no such run. A run that was queued here is refused. */
export async function findPublished(
  on: Queryable,
  workspaceId: string,
  runId: string,
): Promise<Published | null> {
  const row = await one<Row>(
    on,
    sql`SELECT r.run_id, r.title, r.state, r.published_by, h.host_id, h.name AS host_name, a.attempt_id, a.attempt_no, a.finished_at,
          r.deleted_at
        FROM run r
        JOIN run_host x USING (workspace_id, run_id)
        JOIN host h USING (workspace_id, host_id)
        LEFT JOIN attempt a ON a.workspace_id = r.workspace_id AND a.run_id = r.run_id AND a.attempt_no = r.attempt_no
        WHERE r.workspace_id = ${workspaceId} AND r.run_id = ${runId}`,
  );
  if (!row) return null;
  const { published_by, attempt_id, attempt_no } = row;
  if (published_by === null || attempt_id === null || attempt_no === null)
    throw new DomainError(
      "state",
      "This run was queued here, on a host of this workspace; a file cannot replace it.",
    );
  return { ...row, published_by, attempt_id, attempt_no };
}

/** What the one who publishes goes on from. */
export async function describe(ctx: Ctx, at: Publisher, row: Published): Promise<Publication> {
  const streams = await ctx.db.prisma.stream.findMany({
    where: { workspace_id: at.workspaceId, attempt_id: row.attempt_id },
    select: { name: true, next_seq: true, digest: true },
  });
  const of = (name: StreamName) => {
    const found = streams.find((s) => s.name === name);
    if (!found) throw new DomainError("not_found", "This publication has no such stream.");
    return { next_seq: found.next_seq, digest: found.digest };
  };
  return {
    id: row.run_id,
    state: row.state,
    url: `${ctx.config.publicUrl}/w/${at.slug}/runs/${row.run_id}`,
    title: row.title,
    host: { id: row.host_id, name: row.host_name },
    published_by: row.published_by,
    finished: row.finished_at !== null,
    streams: { journal: of("journal"), raw: of("raw") },
  };
}
