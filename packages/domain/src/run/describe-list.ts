import { sql } from "@rigmark/db";
import type { RunBrief, RunFilter } from "@rigmark/results/public";
import { repositoryName } from "@rigmark/results/source";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { hostNamed } from "../internal/reach";
import { readBriefs } from "../internal/run/brief";

/** Runs for the public API, newest first. */
export async function describeRuns({
  ctx,
  input,
}: Call<{ workspace: string } & RunFilter>): Promise<{ items: RunBrief[]; next_cursor: string | null }> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const { limit, state = null, branch = null, commit = null, pull_request: pull = null } = input;
  const [at, id] = decodeCursor(input.cursor);
  const host = input.host === undefined ? null : await hostNamed(ctx, workspaceId, input.host);
  const name = input.repository === undefined ? null : repositoryName(input.repository);
  const found = await readBriefs(
    ctx,
    workspaceId,
    sql`(${at}::timestamptz IS NULL OR (r.created_at, r.run_id) < (${at}::timestamptz, ${id}::uuid))
        AND (${state}::text IS NULL OR r.state = ${state}::text)
        AND (${host}::uuid IS NULL OR x.host_id = ${host}::uuid)
        AND (${name}::text IS NULL OR (r.source IS NOT NULL AND r.source_repository = ${name}::text))
        AND (${branch}::text IS NULL OR r.source_branch = ${branch}::text)
        AND (${commit}::text IS NULL OR (r.source IS NOT NULL AND starts_with(r.source_commit, ${commit}::text)))
        AND (${pull}::int IS NULL OR r.source_pull_request = ${pull}::int)`,
    limit + 1,
  );
  const page = found.slice(0, limit);
  const last = page.at(-1)?.row;
  return {
    items: page.map(({ brief }) => brief),
    next_cursor: found.length > page.length && last ? encodeCursor(last.created_at, last.run_id) : null,
  };
}
