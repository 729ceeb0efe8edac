import type { ComparedCell, ComparisonView } from "@rigmark/results";
import { expect, it, vi } from "vitest";
import { ComparePage } from "@/components/compare/compare-page";
import type { CompareState } from "@/lib/compare-path";
import type { Compared } from "@/lib/results/compared";
import { render } from "./words";

vi.mock("@/components/compare/compared-curves", () => ({ ComparedCurves: () => null }));
vi.mock("@/components/run/ticking-link", () => ({ TickingLink: () => null }));
vi.mock("@/components/result/environment-differences", () => ({ EnvironmentDifferences: () => null }));
vi.mock("@/components/compare/ratio-figures", () => ({
  RatioFigures: ({ of }: { of: Compared }) =>
    of.scenarios.map((s) => <i key={s.scenario}>{`${s.scenario}: ${s.rows.map((row) => row.run + 1)}`}</i>),
}));

const cell = (verdict: ComparedCell["verdict"], estimate: number | null, baseline = false) => ({
  ...{ verdict, baseline, sentence: "", figure: null, unranked_reason: null, partly: null },
  ratio: estimate === null ? null : { estimate, low: estimate, high: estimate, confidence: 0.95 },
});
const base = cell(null, null, true);
const pair = (verdict: string, estimate: number) => ({
  ...{
    series: 1,
    label: "epoll",
    a: 0,
    b: 1,
    changed: [],
    verdict,
    reason: null,
    ratio_of_medians: estimate,
  },
  ...{ ratio: { estimate }, sentence: `epoll is ${verdict}.` },
});
const scenario = (name: string, cells: ReturnType<typeof cell>[], between: unknown) => ({
  ...{ scenario: name, title: name, metric: "requests_per_s", load: { kind: "closed" } },
  rows: cells.map((each, run) => ({ run, cells: [base, each] })),
  between: [between],
});
const run = (n: number) => ({
  ...{ run_id: `run-${n}`, title: `Run ${n}`, state: "succeeded", report: null, source: null },
  ...{ host: { host_id: "pi", name: "pi" }, created_at: "2026-11-13T02:30:00.000Z", published_by: null },
});
const comparison = {
  ...{ runs: [run(1), run(2)], baseline: null, notes: [], gone: [] },
  series: ["nginx", "epoll"].map((name) => ({ name, server: name, changed: [[], []] })),
  scenarios: [
    scenario("a", [cell("faster", 1.1), cell("slower", 0.6)], pair("slower", 0.7)),
    scenario("b", [cell("faster", 3), cell("no-difference", 1)], pair("faster", 1.5)),
  ],
} as unknown as ComparisonView;

/** Rows of the table of ratios, sentences of pairs, and charts with the runs in them. */
const shownIn = (choice: Partial<CompareState>) => {
  const state = { runIds: ["run-1", "run-2"], ...choice };
  const html = render(<ComparePage workspace="home" mayShare={false} {...{ state, comparison }} />);
  return {
    rows: [...html.matchAll(/runs\/run-(\d)\?scenario=(\w)/g)].map(([, n, name]) => `${name}${n}`),
    pairs: [...html.matchAll(/epoll is (\w+)\./g)].map(([, verdict]) => verdict),
    charts: [...html.matchAll(/<i>([^<]*)</g)].map(([, text]) => text),
    heading: html.includes("Ratios with confidence intervals"),
  };
};

it("rows and their order are chosen for tables, charts and pairs of runs alike", () => {
  expect(shownIn({})).toEqual({
    ...{ rows: ["a1", "a2", "b1", "b2"], pairs: ["slower", "faster"] },
    ...{ charts: ["a: 1,2", "b: 1,2"], heading: true },
  });
  expect(shownIn({ only: "slower" })).toEqual({
    ...{ rows: ["a2"], pairs: ["slower"], charts: ["a: 2"], heading: true },
  });
  expect(shownIn({ only: "different", order: "size" })).toEqual({
    ...{ rows: ["b1", "a2", "a1"], pairs: ["faster", "slower"] },
    ...{ charts: ["b: 1", "a: 2,1"], heading: true },
  });
});

it("without a row that is left there is no section of charts", () => {
  const [first] = comparison.scenarios;
  const none = { ...comparison, scenarios: first ? [{ ...first, rows: first.rows.slice(0, 1) }] : [] };
  const state = { runIds: ["run-1", "run-2"], only: "slower" as const };
  const html = render(<ComparePage workspace="home" mayShare={false} {...{ state }} comparison={none} />);
  expect(html).toContain("No row has a worse entry: 1 row is left out of the table and the charts.");
  expect(html).not.toContain("Ratios with confidence intervals");
});
