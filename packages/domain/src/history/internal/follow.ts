import { rankingOf } from "@rigmark/results/ranking";
import { changes } from "@rigmark/stats";
import type { Row } from "./read-rows";

/** The value of each run that has one, and the changes between them. Rows oldest first, of one metric. */
export function follow(metric: Row["metric"], relativeTo: string | null, rows: readonly Row[]) {
  const { boundOf } = rankingOf(metric);
  return changes({
    schema: 1,
    metric,
    relative_to: relativeTo,
    points: rows.map((row) => ({
      // A bound is no figure.
      figure: boundOf(row.brief ?? undefined) === null ? row.figure : null,
      relative: boundOf(row.relative_brief ?? undefined) === null ? row.relative : null,
      environment: row.environment,
    })),
  });
}
