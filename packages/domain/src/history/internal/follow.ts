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
    points: rows.map((row) => {
      const { environment, estimate } = row;
      // A bound is no figure.
      const figure = boundOf(row.brief ?? undefined) === null ? row.figure : null;
      const relative = boundOf(row.relative_brief ?? undefined) === null ? row.relative : null;
      // The run's own ratio instead of the quotient of the medians: its interval is of that one.
      const own = figure !== null && relative !== null ? estimate : null;
      return own === null ? { figure, relative, environment } : { figure: own, relative: 1, environment };
    }),
  });
}
