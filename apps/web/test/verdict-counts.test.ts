import type { ComparedCell, ComparisonView } from "@rigmark/results";
import { expect, it } from "vitest";
import { verdictCounts } from "@/lib/results/verdict-counts";

const cell = (verdict: ComparedCell["verdict"], baseline = false) => ({ verdict, baseline }) as ComparedCell;

it("counts the verdicts of each entry over scenarios and runs, where there is a baseline to compare with", () => {
  const base = cell(null, true);
  const view = {
    series: [{ name: "nginx" }, { name: "epoll" }, { name: "go" }],
    scenarios: [
      {
        rows: [
          { run: 0, cells: [base, cell("faster"), cell("slower")] },
          { run: 1, cells: [base, cell("no-difference"), null] },
        ],
      },
      {
        rows: [
          { run: 0, cells: [base, cell("faster"), cell("not-comparable")] },
          // This run lacks the baseline.
          { run: 1, cells: [null, cell("faster"), cell("slower")] },
        ],
      },
    ],
  } as unknown as ComparisonView;
  expect(verdictCounts(view)).toEqual([
    { place: 1, faster: 2, slower: 0, even: 1, none: 0 },
    { place: 2, faster: 0, slower: 1, even: 0, none: 1 },
  ]);
});
