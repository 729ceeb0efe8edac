import type { ComparisonView } from "@rigmark/results";
import { hasBaseline } from "./compared";

/** How often an entry was faster than the baseline, slower, or neither, over all scenarios and runs. */
export interface VerdictCounts {
  /** Place of the series. */
  place: number;
  faster: number;
  slower: number;
  even: number;
  /** Without a verdict, for whatever reason. */
  none: number;
}

/** Of each entry that is compared at all. What a request costs counts as well: there, faster is cheaper. */
export const verdictCounts = ({ series, scenarios }: ComparisonView): VerdictCounts[] =>
  series.flatMap((_, place) => {
    const counts: VerdictCounts = { place, faster: 0, slower: 0, even: 0, none: 0 };
    let compared = 0;
    for (const { rows } of scenarios)
      for (const { cells } of rows) {
        const cell = cells[place];
        if (!cell || cell.baseline || !hasBaseline(cells)) continue;
        compared += 1;
        if (cell.verdict === "faster" || cell.verdict === "slower") counts[cell.verdict] += 1;
        else if (cell.verdict === "no-difference") counts.even += 1;
        else counts.none += 1;
      }
    return compared > 0 ? counts : [];
  });
