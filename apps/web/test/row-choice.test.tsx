import { describe, expect, it } from "vitest";
import { RowChoice } from "@/components/compare/row-choice";
import type { CellCompared, Compared } from "@/lib/results/compared";
import { countRows, differentRows } from "@/lib/results/different-rows";
import { render } from "./words";

const cell = (verdict: CellCompared["verdict"], baseline = false) => ({ verdict, baseline }) as CellCompared;
const base = cell(null, true);
const scenario = (name: string, ...rows: (CellCompared | null)[][]) => ({
  ...{ scenario: name, title: name, metric: "requests_per_s" as const },
  rows: rows.map((cells, run) => ({ run, cells })),
});
const compared = {
  hosts: ["pi", "pi", "pi"],
  series: ["nginx", "epoll", "go"],
  scenarios: [
    scenario("a", [base, cell("no-difference"), cell("slower")], [base, cell("faster"), null]),
    // The second run lacks the baseline.
    scenario("b", [base, cell("not-comparable"), cell(null)], [null, cell("faster"), cell("slower")]),
    scenario("c", [base, null, null], [base, cell("no-difference"), null], [base, null, cell("faster")]),
  ],
} as unknown as Compared;

it("rows with a difference shown are those of a run with an entry better or worse than its baseline", () => {
  const different = differentRows(compared);
  expect(different.scenarios.map((s) => [s.scenario, s.rows.map(({ run }) => run)])).toEqual([
    ["a", [0, 1]],
    ["c", [2]],
  ]);
  expect([countRows(compared), countRows(different)]).toEqual([7, 3]);
  expect(different.series).toBe(compared.series);
});

describe("the choice of rows", () => {
  const state = { runIds: ["x"], baseline: "nginx" };
  const choice = (all: number, different: number, only?: "different") =>
    render(<RowChoice workspace="home" state={{ ...state, only }} {...{ all, different }} />);
  const noteOf = (html: string) => /<p class="note">([^<]*)</.exec(html)?.[1];

  it("counts them, keeps the rest of the address, and leaves nothing out by itself", () => {
    const html = choice(40, 12);
    expect(html).toContain('href="/w/home/compare?runs=x&amp;baseline=nginx"');
    expect(html).toContain('href="/w/home/compare?runs=x&amp;baseline=nginx&amp;only=different"');
    expect(html).toContain("Only rows with a difference shown (12 of 40)");
    expect(html).toMatch(/aria-current="true"[^>]*>All rows/);
    expect(noteOf(html)).toBeUndefined();
  });

  it("says how many are left out", () => {
    expect(noteOf(choice(40, 12, "different"))).toBe(
      "28 rows without a difference shown are left out of the table.",
    );
    expect(noteOf(choice(40, 39, "different"))).toBe(
      "1 row without a difference shown is left out of the table.",
    );
    expect(noteOf(choice(40, 0, "different"))).toBe(
      "No row has a difference shown: 40 rows are left out of the table.",
    );
    expect(noteOf(choice(40, 40, "different"))).toBeUndefined();
  });

  it("is not there for a few rows, unless it was made", () => {
    expect(choice(3, 1)).toBe("");
    expect(choice(3, 1, "different")).toContain("All rows");
  });
});
