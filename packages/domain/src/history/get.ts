import type { HistoryPoint, HistoryView } from "@rigmark/results";
import { loadKey } from "@rigmark/results/load-key";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { findHost } from "../internal/host/summary";
import { iso } from "../internal/moment";
import { badgeUrl, findBadge } from "./internal/badge";
import { follow } from "./internal/follow";
import { type Row, readLabels, readRows, type Series } from "./internal/read-rows";

/** Points of one history, newest first. */
const MOST_POINTS = 2_000;

/**
 * An entry under a scenario on a host, run by run, and since when it is another figure. `relativeTo` names the entry that
 * the values are ratios to: by default the baseline of the newest run, null for the figures themselves.
 */
export async function getHistory({
  ctx,
  input,
}: Call<Series & { workspace: string; relativeTo?: string | null | undefined }>): Promise<HistoryView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const [host, [newest]] = await Promise.all([
    findHost(ctx, workspaceId, input.hostId),
    readRows(ctx, workspaceId, input, null, 1),
  ]);
  if (!newest?.definition)
    throw new DomainError(
      "not_found",
      `No run on this host has measured “${input.label}” under this scenario; choose another series.`,
    );
  const labels = await readLabels(ctx, workspaceId, newest.run_id);
  const others = labels.map(({ label }) => label).filter((label) => label !== input.label);
  const baseline = labels.find((l) => l.baseline && l.label !== input.label)?.label ?? null;
  const relativeTo = input.relativeTo === undefined ? baseline : input.relativeTo;
  const definition = newest.definition;
  const [found, badge] = await Promise.all([
    readRows(ctx, workspaceId, input, relativeTo, MOST_POINTS, definition),
    findBadge(ctx, workspaceId, { ...input, relativeTo }),
  ]);
  const load = loadKey(definition, newest.metric);
  const isLike = (row: Row) =>
    row.metric === newest.metric && (row.definition === null || loadKey(row.definition, row.metric) === load);
  const rows = found.filter(isLike).reverse();
  const result = follow(newest.metric, relativeTo, rows);
  const { server, metric, created_at } = newest;
  return {
    series: {
      host: { host_id: host.host_id, name: host.name },
      ...{ scenario: definition.id, title: definition.title, label: input.label, server },
      ...{ runs: rows.length, newest_at: iso(created_at) },
    },
    ...{ tool: definition.tool, workload: definition.workload, load: definition.load, metric },
    relative_to: relativeTo,
    others,
    points: rows.map((row, place) => pointOf(row, rows[place - 1], result.values[place] ?? null, relativeTo)),
    changes: result.changes.map(({ at, found_at, before, after, ratio, verdict, sentence }) => ({
      ...{ at, found_at, before, after, ratio, verdict, sentence },
    })),
    sentence: result.sentence,
    other_load: found.length - rows.length,
    badge: badge && { badge_id: badge.badgeId, url: badgeUrl(ctx, badge.slug) },
  };
}

function pointOf(
  row: Row,
  before: Row | undefined,
  value: number | null,
  relativeTo: string | null,
): HistoryPoint {
  const range = row.brief?.range && { low: row.brief.range.min, high: row.brief.range.max };
  const between = relativeTo === null ? range : row.to_baseline ? row.brief?.ratio : null;
  const known = value === null ? null : between;
  return {
    run_id: row.run_id,
    title: row.title,
    created_at: iso(row.created_at),
    source: row.source,
    build_changed: before !== undefined && before.content_hash !== row.content_hash,
    environment_changed:
      before !== undefined && (row.environment === null || before.environment !== row.environment),
    value,
    low: known?.low ?? null,
    high: known?.high ?? null,
  };
}
