import type { ComparisonView } from "@rigmark/results";
import { expect, it } from "vitest";
import {
  comparedPath,
  comparePath,
  compareState,
  withLatenciesOf,
  withoutGone,
  withoutRun,
} from "../src/lib/compare-path";

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

it("the address holds the whole state of the page", () => {
  const state = { runIds: [id(1), id(2)], baseline: "nginx & co, “tuned” 🚀" };
  const path = comparePath("home", state);
  expect(path.startsWith(`/w/home/compare?runs=${id(1)},${id(2)}&baseline=`)).toBe(true);
  const query = Object.fromEntries(new URL(path, "http://x").searchParams);
  expect(compareState(query)).toEqual(state);
});

it("which rows the page has, and in which order, stands in it, too", () => {
  for (const only of ["different", "faster", "slower"] as const) {
    const state = { runIds: [id(1)], baseline: "nginx", only, order: "size" as const };
    const path = comparePath("home", state);
    expect(path).toBe(`/w/home/compare?runs=${id(1)}&baseline=nginx&only=${only}&order=size`);
    expect(compareState(Object.fromEntries(new URL(path, "http://x").searchParams))).toEqual(state);
  }
  for (const odd of ["", "even", ["different"], ["size"]])
    expect(compareState({ runs: id(1), only: odd, order: odd })).toEqual({ runIds: [id(1)] });
});

it("which figure stands below each ratio stands in it, too", () => {
  const state = { runIds: [id(1)], only: "different" as const, figure: "cpu" as const };
  const path = comparePath("home", state);
  expect(path).toBe(`/w/home/compare?runs=${id(1)}&only=different&figure=cpu`);
  expect(compareState(Object.fromEntries(new URL(path, "http://x").searchParams))).toEqual(state);
  for (const figure of ["", "p98", ["cpu"]])
    expect(compareState({ runs: id(1), figure })).toEqual({ runIds: [id(1)] });
});

it("runs of reports stand in it after the others", () => {
  const state = { runIds: [id(1)], reports: [`${"a".repeat(22)}.1`, `${"B".repeat(22)}.8`] };
  const query = Object.fromEntries(new URL(comparePath("home", state), "http://x").searchParams);
  expect(compareState(query)).toEqual(state);
  expect(compareState({ runs: id(1), reports: "short.1" })).toContain("“short.1” names no run");
  expect(compareState({ runs: id(1), reports: `${"a".repeat(22)}.9` })).toContain("not whole");
});

it("what no link of ours names is no state, and a link that says too much is told what", () => {
  expect(compareState({})).toBe(null);
  expect(compareState({ runs: "" })).toBe(null);
  expect(compareState({ runs: `${id(1)},0000` })).toBe(
    "This link is not whole: “0000” names no run. Copy all of it.",
  );
  expect(compareState({ runs: [id(1), id(2)] })).toBe(null);
  const many = Array.from({ length: 21 }, (_, n) => id(n)).join(",");
  expect(compareState({ runs: many })).toBe("This link names 21 runs; at most 20 can be compared at once.");
});

it("a run that is named twice is there once, and an odd baseline is none", () => {
  expect(compareState({ runs: `${id(1)},${id(1)}`, baseline: "" })).toEqual({ runIds: [id(1)] });
  expect(compareState({ runs: id(1), baseline: "x".repeat(201) })).toEqual({ runIds: [id(1)] });
});

it("a run leads to its page, and under a scenario to the results there", () => {
  const own = { run_id: id(1), report: null };
  expect(comparedPath("home", own)).toBe(`/w/home/runs/${id(1)}`);
  expect(comparedPath("home", own, "kb-ab")).toBe(`/w/home/runs/${id(1)}?scenario=kb-ab#scenario-kb-ab`);
  const inReport = (place: number) => ({ ...own, report: `slug.${place}` });
  expect(comparedPath("home", inReport(1))).toBe("/r/slug");
  expect(comparedPath("home", inReport(1), "kb-ab")).toBe("/r/slug#scenario-kb-ab");
  expect(comparedPath("home", inReport(3), "kb-ab")).toBe("/r/slug#run-3-scenario-kb-ab");
});

it("without one of its runs it keeps the rest, unless none of the workspace's own would be left", () => {
  const report = `${"a".repeat(22)}.1`;
  const own = (n: number) => ({ run_id: id(n), report: null });
  // The first entry is in the first run alone.
  const rows = [
    { run: 0, cells: [{}, {}] },
    { run: 1, cells: [null, {}] },
    { run: 2, cells: [null, {}] },
  ];
  const left = (baseline: number | null, place: number) => {
    const runs = [own(1), own(2), { run_id: id(3), report }];
    const shown = { runs, baseline, scenarios: [{ rows }] } as unknown as ComparisonView;
    const names = {
      runIds: [id(1), id(2)],
      reports: [report],
      only: "different" as const,
      order: "size" as const,
      figure: "p99" as const,
    };
    const state = withoutRun(baseline === null ? names : { ...names, baseline: "nginx" }, shown, place);
    return state && comparePath("home", state);
  };
  expect(left(1, 0)).toBe(
    `/w/home/compare?runs=${id(2)}&reports=${report}&baseline=nginx&only=different&order=size&figure=p99`,
  );
  expect(left(0, 0)).toBe(
    `/w/home/compare?runs=${id(2)}&reports=${report}&only=different&order=size&figure=p99`,
  );
  expect(left(0, 1)).toBe(
    `/w/home/compare?runs=${id(1)}&reports=${report}&baseline=nginx&only=different&order=size&figure=p99`,
  );
  expect(left(null, 2)).toBe(`/w/home/compare?runs=${id(1)},${id(2)}&only=different&order=size&figure=p99`);
  const alone = { runs: [own(1), { run_id: id(3), report }], baseline: null } as unknown as ComparisonView;
  const state = { runIds: [id(1)], reports: [report] };
  expect(withoutRun(state, alone, 0)).toBe(null);
  expect(withoutRun(state, alone, 1)).toMatchObject({ runIds: [id(1)], reports: [] });
  expect(withoutRun(state, alone, 2)).toBe(null);
});

it("runs that are gone are not asked for again", () => {
  const state = { runIds: [id(1), id(2), id(3)], baseline: "nginx" };
  const left = { runIds: [id(1), id(3)], baseline: "nginx" };
  expect(withoutGone(state, { gone: [id(2)], baseline: 0 })).toEqual(left);
  // It was an entry of the run that is gone.
  expect(withoutGone(state, { gone: [id(2)], baseline: null })).toEqual({ ...left, baseline: undefined });
  expect(withoutGone(state, { gone: [], baseline: 0 })).toBe(state);
});

it("keeps the entries whose latencies are drawn, as the address encodes them", () => {
  const path = "/w/home/compare?runs=x&baseline=nginx";
  expect(withLatenciesOf(path, "?runs=x&latencies-of=a%2Cb,c%26d&only=different")).toBe(
    `${path}&latencies-of=a%2Cb,c%26d`,
  );
  expect(withLatenciesOf(path, "?runs=x")).toBe(path);
});
