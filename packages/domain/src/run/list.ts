import type { RunListFilter, RunListItem, RunPage } from "@rigmark/results";
import { RUN_FILTERS, type RunFilterName } from "@rigmark/results/run-list";
import type { Call, Ctx } from "../context";
import { enterWorkspace } from "../internal/access";
import { decodeCursor, encodeCursor } from "../internal/cursor";
import { iso, isoOrNull } from "../internal/moment";
import { findListed, type ListedRow } from "./internal/find-listed";

/** Newest first. Where nothing matches, the filters are named without which something would. */
export async function listRuns({
  ctx,
  input,
}: Call<{
  workspace: string;
  cursor?: string | null | undefined;
  limit: number;
  filter?: RunListFilter | undefined;
}>): Promise<RunPage> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const { filter = {}, limit } = input;
  const place = decodeCursor(input.cursor);
  const rows = await findListed(ctx, workspaceId, { filter, place, limit: limit + 1 });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    runs: page.map(itemOf),
    next_cursor: rows.length > page.length && last ? encodeCursor(last.created_at, last.run_id) : null,
    drop: rows.length === 0 && place[0] === null ? await tooMuch(ctx, workspaceId, filter) : [],
  };
}

/** Filters that leave nothing of what the others find. */
async function tooMuch(ctx: Ctx, workspaceId: string, filter: RunListFilter): Promise<RunFilterName[]> {
  const names: RunFilterName[] = [];
  for (const name of RUN_FILTERS) {
    if (!isSet(filter[name])) continue;
    const rest: RunListFilter = { ...filter, [name]: undefined };
    const found = await findListed(ctx, workspaceId, { filter: rest, place: [null, null], limit: 1 });
    if (found.length > 0) names.push(name);
  }
  return names;
}

function isSet(value: RunListFilter[RunFilterName]): boolean {
  if (typeof value === "string") return value.trim() !== "";
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

const itemOf = (row: ListedRow): RunListItem => ({
  run_id: row.run_id,
  title: row.title,
  tags: row.tags,
  state: row.state,
  unreachable: row.unreachable,
  host: { host_id: row.host_id, name: row.host_name },
  requested_by: row.requested_by,
  published_by: row.published_by,
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
  source: row.source,
  sketch: row.sketch,
});
