import type { HistoryPoint, HistoryView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { columnsOf, rowsOf } from "@/lib/columns";
import { followedRun, historyFigure } from "@/lib/results/history-figure";
import { en } from "./words";

const point = (n: number, value: number | null): HistoryPoint => ({
  run_id: `run-${n}`,
  title: `Night ${n}`,
  created_at: `2026-11-${String(n + 10)}T02:30:00.000Z`,
  source: null,
  build_changed: n === 2,
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

describe("the runs of a history", () => {
  it("come to the browser as columns and are rows again there", () => {
    expect(rowsOf(columnsOf(points))).toEqual(points);
    expect(columnsOf([])).toBeNull();
    expect(rowsOf(null)).toEqual([]);
  });

  it("are points from the oldest on, and rows from the newest on", () => {
    const { chart, table } = historyFigure(en, followed, points.map(followedRun));
    if (chart.kind !== "history") throw new Error("not a history");
    expect(chart.points.map((p) => p.value)).toEqual([1000, 900, null]);
    expect(chart.points[1]?.text).toContain("slower, new build");
    expect(chart.levels.map(({ from, to }) => [from, to])).toEqual([
      [0, 0],
      [1, 2],
    ]);
    expect(table.rows.map((row) => row.key)).toEqual(["run-3", "run-2", "run-1"]);
    expect(table.rows[0]?.cells[2]?.text).toBe("no valid value");
    expect(table.rows).toBe(table.rows);
  });
});
