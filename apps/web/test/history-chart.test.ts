import type { HistoryPoint, HistoryView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { tickText } from "@/components/chart/history-line";
import { specOf } from "@/components/chart/spec";
import { columnsOf, rowsOf } from "@/lib/columns";
import { followedRun, historyFigure } from "@/lib/results/history-figure";
import { en } from "./words";

const point = (n: number, value: number | null): HistoryPoint => ({
  run_id: `run-${n}`,
  title: `Night ${n}`,
  created_at: `2026-11-${String(n + 10)}T02:30:00.000Z`,
  source: null,
  entry_changed: n === 2,
  relative_changed: n === 3,
  environment_changed: false,
  value,
  low: value === null ? null : value - 10,
  high: value === null ? null : value + 10,
});
const points = [point(1, 1000), point(2, 900), point(3, null)];
const followed: Pick<HistoryView, "series" | "changes" | "metric" | "load" | "relative_to"> = {
  series: {
    host: { host_id: "h", name: "attic" },
    scenario: "static-1k-ab",
    title: "1 KB file, ab, 32 connections",
    label: "epoll",
    server: "epoll",
    runs: 3,
    newest_at: "2026-11-13T02:30:00.000Z",
  },
  changes: [
    { at: 1, found_at: 2, before: 1000, after: 900, ratio: 0.9, verdict: "slower", sentence: "Slower." },
  ],
  metric: "requests_per_s",
  load: { kind: "closed", connections: 32 } as HistoryView["load"],
  relative_to: null,
};

it("two ticks of its axis are never written alike", () => {
  const written = (unit: "us" | "per_s" | null, ...values: number[]) => {
    const ticks = values.map((value) => ({ value }));
    return values.map((value) => tickText(en, unit, value, ticks));
  };
  expect(written(null, 1.23, 1.235, 1.24)).toEqual(["1.230", "1.235", "1.240"]);
  expect(written(null, 1, 2, 3)).toEqual(["1", "2", "3"]);
  expect(written("us", 1230, 1232, 1234)).toEqual(["1,230\u00a0µs", "1,232\u00a0µs", "1,234\u00a0µs"]);
  expect(written("per_s", 1200, 1400)).toEqual(["1,200\u00a0req/s", "1,400\u00a0req/s"]);
});

const hrefOf = (runId: string) => `/at/${runId}`;
const compareOf = (before: string, runId: string) => `/compare/${before},${runId}`;

describe("the runs of a history", () => {
  it("come to the browser as columns and are rows again there", () => {
    expect(rowsOf(columnsOf(points))).toEqual(points);
    expect(columnsOf([])).toBeNull();
    expect(rowsOf(null)).toEqual([]);
  });

  it("are points from the oldest on, and rows from the newest on", () => {
    const { chart, table } = historyFigure(en, followed, points.map(followedRun), hrefOf, compareOf);
    if (chart.kind !== "history") throw new Error("not a history");
    expect(chart.points.map((p) => p.value)).toEqual([1000, 900, null]);
    expect(chart.points[1]?.text).toContain("slower, new build or options");
    expect(chart.points[1]?.text).toContain("2026-11-12 02:30 UTC, Night 2");
    expect(table.columns[1]?.title).toBe("when (UTC)");
    expect(chart.levels.map(({ from, to }) => [from, to])).toEqual([
      [0, 0],
      [1, 2],
    ]);
    expect(table.rows.map((row) => row.key)).toEqual(["run-3", "run-2", "run-1"]);
    expect(table.rows[0]?.cells[2]?.text).toBe("no valid value");
    expect(table.rows).toBe(table.rows);
  });

  it("are led to from their points and from their rows, and the CSV is without addresses", () => {
    const { chart, table } = historyFigure(en, followed, points.map(followedRun), hrefOf, compareOf);
    // The third has no value, and no point.
    const stops = specOf(en, chart).stops.flat();
    expect(stops.map((stop) => stop.href)).toEqual(["/at/run-1", "/at/run-2"]);
    expect(table.rows.map((row) => row.cells[0]?.href)).toEqual(["/at/run-3", "/at/run-2", "/at/run-1"]);
    expect(table.rows.flatMap((row) => row.csv).join()).not.toMatch(/\/(at|compare)\//);
  });

  it("are compared with the run before, but for the oldest", () => {
    const { table } = historyFigure(en, followed, points.map(followedRun), hrefOf, compareOf);
    expect(table.columns.at(-1)?.title).toBe("with the run before");
    expect(table.rows.map((row) => row.cells.at(-1))).toEqual([
      { text: "Compare", href: "/compare/run-2,run-3" },
      { text: "Compare", href: "/compare/run-1,run-2" },
      { text: "–" },
    ]);
  });

  it("have a change in the words of its metric", () => {
    const costs = { ...followed, metric: "cpu_us_per_request" as const };
    const { table } = historyFigure(en, costs, points.map(followedRun), hrefOf, compareOf);
    expect(table.rows[1]?.cells[5]?.text).toBe("spends more, new build or options");
  });

  it("say where what they are ratios to is another one", () => {
    const relative = { ...followed, relative_to: "nginx" };
    const { table } = historyFigure(en, relative, points.map(followedRun), hrefOf, compareOf);
    expect(table.rows[0]?.cells[5]?.text).toBe("new build or options of nginx");
  });
});
