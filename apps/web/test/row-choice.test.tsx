import type { ComparedScenario } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { RowChoice } from "@/components/compare/row-choice";
import type { CompareState } from "@/lib/compare-path";
import type { CellCompared, Compared } from "@/lib/results/compared";
import {
  countPairs,
  countRows,
  pairsOf,
  rowsBySize,
  rowsOnly,
  scenariosBySize,
} from "@/lib/results/different-rows";
import { render } from "./words";

const cell = (verdict: CellCompared["verdict"], estimate: number | null = null) =>
  ({ verdict, baseline: false, ratio: estimate === null ? null : { estimate } }) as CellCompared;
const base = { verdict: null, baseline: true, ratio: null } as CellCompared;
const scenario = (name: string, ...rows: (CellCompared | null)[][]) => ({
  ...{ scenario: name, title: name, metric: "requests_per_s" as const },
  rows: rows.map((cells, run) => ({ run, cells })),
});
const compared = {
  hosts: ["pi", "pi", "pi"],
  series: ["nginx", "epoll", "go"],
  scenarios: [
    scenario(
      "a",
      [base, cell("no-difference", 1.01), cell("slower", 0.5)],
      [base, cell("faster", 1.1), null],
    ),
    // The second run lacks the baseline.
    scenario(
      "b",
      [base, cell("not-comparable", 9), cell(null, 8)],
      [null, cell("faster", 7), cell("slower", 0.1)],
    ),
    scenario(
      "c",
      [base, null, null],
      [base, cell("no-difference", 1.02), null],
      [base, null, cell("faster", 1.9)],
    ),
  ],
} as unknown as Compared;

const rowsIn = (of: Compared) => of.scenarios.map((s) => [s.scenario, s.rows.map(({ run }) => run)]);

it("rows with a difference shown are those of a run with an entry better or worse than its baseline", () => {
  const different = rowsOnly(compared, "different");
  expect(rowsIn(different)).toEqual([
    ["a", [0, 1]],
    ["c", [2]],
  ]);
  expect([countRows(compared), countRows(different)]).toEqual([7, 3]);
  expect(different.series).toBe(compared.series);
  expect(rowsIn(rowsOnly(compared, "slower"))).toEqual([["a", [0]]]);
  expect(rowsIn(rowsOnly(compared, "faster"))).toEqual([
    ["a", [1]],
    ["c", [2]],
  ]);
  expect(rowsOnly(compared, undefined)).toBe(compared);
});

it("the largest difference shown comes first, half as far from 1 as twice, and rows without one come last", () => {
  expect(rowsIn(rowsBySize(compared))).toEqual([
    ["a", [0]],
    ["c", [2]],
    ["a", [1]],
    ["b", [0, 1]],
    ["c", [0, 1]],
  ]);
  // A chart a scenario.
  expect(rowsIn(scenariosBySize(compared))).toEqual([
    ["a", [0, 1]],
    ["c", [2, 0, 1]],
    ["b", [0, 1]],
  ]);
  expect(rowsIn(compared)[0]).toEqual(["a", [0, 1]]);
});

it("pairs of runs follow the same choice", () => {
  const pair = (b: number, verdict: string | null, estimate: number) => ({ b, verdict, ratio: { estimate } });
  const scenarios = [
    { scenario: "a", between: [pair(1, "faster", 1.2), pair(2, null, 5), pair(3, "slower", 0.7)] },
    { scenario: "b", between: [pair(1, "no-difference", 1.01)] },
    { scenario: "c", between: [pair(1, "slower", 0.4)] },
  ] as unknown as ComparedScenario[];
  const pairsIn = (choice: Pick<CompareState, "only" | "order">) =>
    pairsOf(scenarios, choice).map((s) => [s.scenario, s.between.map(({ b }) => b)]);
  expect(pairsIn({})).toEqual([
    ["a", [1, 2, 3]],
    ["b", [1]],
    ["c", [1]],
  ]);
  expect(pairsIn({ order: "size" })).toEqual([
    ["c", [1]],
    ["a", [3, 1, 2]],
    ["b", [1]],
  ]);
  expect(pairsIn({ only: "faster" })).toEqual([["a", [1]]]);
  expect(pairsIn({ only: "different", order: "size" })).toEqual([
    ["c", [1]],
    ["a", [3, 1]],
  ]);
  expect(countPairs(scenarios)).toBe(5);
});

describe("the choice of rows", () => {
  const rows = (...cells: CellCompared[]) =>
    ({
      ...compared,
      scenarios: [scenario("a", ...cells.map((each) => [base, each]))],
    }) as unknown as Compared;
  const many = (n: number, verdict: CellCompared["verdict"]) =>
    Array.from({ length: n }, () => cell(verdict, 2));
  const choice = (of: Compared, chosen: Partial<CompareState> = {}, pairs = 0) =>
    render(
      <RowChoice
        workspace="home"
        state={{ runIds: ["x"], baseline: "nginx", ...chosen }}
        {...{ of, pairs }}
      />,
    );
  const noteOf = (html: string) => /<p class="note">([^<]*)</.exec(html)?.[1];
  const forty = rows(...many(28, null), ...many(11, "faster"), ...many(1, "slower"));

  it("counts them, keeps the rest of the address, and leaves nothing out by itself", () => {
    const html = choice(forty);
    const path = "/w/home/compare?runs=x&amp;baseline=nginx";
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      path,
      `${path}&amp;only=different`,
      `${path}&amp;only=faster`,
      `${path}&amp;only=slower`,
      path,
      `${path}&amp;order=size`,
    ]);
    expect(html).toContain("Only rows with a difference shown (12 of 40)");
    expect(html).toContain("Only rows with a better entry (11 of 40)");
    expect(html).toContain("Only rows with a worse entry (1 of 40)");
    expect([...html.matchAll(/aria-current="true"[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
      "All rows",
      "In the plan&#x27;s order",
    ]);
    expect(noteOf(html)).toBeUndefined();
  });

  it("keeps order and rows when the other is chosen", () => {
    const html = choice(forty, { only: "slower", order: "size" });
    expect(html).toContain("baseline=nginx&amp;only=faster&amp;order=size");
    expect(html).toContain('baseline=nginx&amp;order=size"');
    expect(html).toContain('baseline=nginx&amp;only=slower"');
    expect([...html.matchAll(/aria-current="true"[^>]*>([^<]*)/g)].map(([, text]) => text)).toEqual([
      "Only rows with a worse entry (1 of 40)",
      "Largest difference first",
    ]);
  });

  it("says how many are left out", () => {
    const left = (of: Compared, only: CompareState["only"]) => noteOf(choice(of, { only }));
    const where = "left out of the table and the charts.";
    expect(left(forty, "different")).toBe(`28 rows without a difference shown are ${where}`);
    expect(left(forty, "faster")).toBe(`29 rows without a better entry are ${where}`);
    expect(left(rows(...many(1, null), ...many(39, "slower")), "slower")).toBe(
      `1 row without a worse entry is ${where}`,
    );
    expect(left(rows(...many(40, null)), "different")).toBe(
      `No row has a difference shown: 40 rows are ${where}`,
    );
    expect(left(rows(...many(40, "slower")), "different")).toBeUndefined();
  });

  it("is not there for a few rows and pairs, unless it was made", () => {
    const few = rows(...many(3, "faster"));
    expect(choice(few)).toBe("");
    expect(choice(few, {}, 4)).toContain("All rows");
    expect(choice(few, { only: "different" })).toContain("All rows");
    expect(choice(few, { order: "size" })).toContain("All rows");
  });
});
