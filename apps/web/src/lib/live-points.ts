import type { SeriesPoint } from "@rigmark/results";

type Numeric = "requests_per_s" | "bytes_per_s" | "server_cpu_cores" | "tool_cpu_cores" | "server_rss_bytes";
const NUMERIC: readonly Numeric[] = [
  "requests_per_s",
  "bytes_per_s",
  "server_cpu_cores",
  "tool_cpu_cores",
  "server_rss_bytes",
];

/**
 * For points that arrive live; stored ones are thinned by SampleStore. Means of neighbors, window by window, so that
 * warm-up never mixes with what was measured. Unknown stays unknown.
 */
export function averageNeighbors(points: readonly SeriesPoint[], max: number): SeriesPoint[] {
  if (points.length <= max) return [...points];
  const size = Math.ceil(points.length / max);
  const merged: SeriesPoint[] = [];
  let group: SeriesPoint[] = [];
  for (const point of points) {
    if (group.length >= size || (group[0] && group[0].window !== point.window)) {
      merged.push(mean(group));
      group = [];
    }
    group.push(point);
  }
  if (group.length > 0) merged.push(mean(group));
  return merged;
}

function mean(group: readonly SeriesPoint[]): SeriesPoint {
  const [first] = group;
  if (!first) throw new RangeError("a mean of no points");
  const result: SeriesPoint = { ...first, t_s: group.reduce((sum, p) => sum + p.t_s, 0) / group.length };
  for (const key of NUMERIC) {
    const known = group.flatMap((p) => (p[key] === null ? [] : [p[key]]));
    result[key] = known.length > 0 ? known.reduce((sum, v) => sum + v, 0) / known.length : null;
  }
  return result;
}
