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
  const points: HistoryPoint[] = [];
  let relativeKey: string | null = null;
  for (const [place, row] of rows.entries()) {
    points.push(pointOf(row, rows[place - 1], relativeKey, result.values[place] ?? null, relativeTo));
    relativeKey = row.relative_key ?? relativeKey;
  }
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
    points,
    changes: result.changes.map(({ at, found_at, before, after, ratio, verdict, sentence }) => ({
      ...{ at, found_at, before, after, ratio, verdict },
      sentence: `${sentence}${alsoChanged(points[at], input.label, relativeTo)}`,
    })),
    sentence: result.sentence,
    other_load: found.length - rows.length,
    badge: badge && { badge_id: badge.badgeId, url: badgeUrl(ctx, badge.slug) },
  };
}

function pointOf(
  row: Row,
  before: Row | undefined,
  /** Of the newest run before that has it. */
  relativeKey: string | null,
  value: number | null,
  relativeTo: string | null,
): HistoryPoint {
  const range = row.brief?.range && { low: row.brief.range.min, high: row.brief.range.max };
  const between = relativeTo === null ? range : row.estimate === null ? null : row.brief?.ratio;
  const known = value === null ? null : between;
  return {
    run_id: row.run_id,
    title: row.title,
    created_at: iso(row.created_at),
    source: row.source,
    entry_changed: before !== undefined && before.entry_key !== row.entry_key,
    relative_changed: relativeKey !== null && row.relative_key !== null && row.relative_key !== relativeKey,
    environment_changed:
      before !== undefined && (row.environment === null || before.environment !== row.environment),
    value,
    low: known?.low ?? null,
    high: known?.high ?? null,
  };
}

/** What a change of the figures may come from, as a sentence after its own. */
function alsoChanged(point: HistoryPoint | undefined, label: string, relativeTo: string | null): string {
  const names = [point?.entry_changed && label, point?.relative_changed && relativeTo].filter(Boolean);
  return names.length === 0
    ? ""
    : ` The build or the options of ${names.join(" and ")} changed at the same run.`;
}
