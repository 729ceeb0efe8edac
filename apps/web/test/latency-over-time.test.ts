import type { LatencyCurve, LatencyOverTime } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { specOf } from "@/components/chart/spec";
import { heatEntries, latencyOverTimeFigure } from "@/lib/results/latency-over-time-figure";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const SCENARIO = "static-1k-ab";
const [first = "", second = ""] = run.entries.map((e) => e.key);

const column = (
  block: number,
  from_s: number,
  counts: number[],
  half_us: number | null,
  all_us: number | null,
) => ({
  ...{ block, from_s, to_s: from_s + 1, counts, half_us, all_us },
});
const curve = (entry_key: string, over_time: LatencyOverTime | null): LatencyCurve => ({
  ...{
    scenario: SCENARIO,
    entry_key,
    trials: 2,
    count: 100,
    max_us: 400,
    resolution_us: 1,
    corrected: false,
  },
  ...{ points: [], note: null, note_zh: null, over_time },
});
const CURVES = [
  curve(first, {
    edges_us: [100, 125, 150, 175],
    columns: [
      column(0, 0, [30, 10, 0], 125, 150),
      column(0, 1, [0, 0, 0], null, null),
      column(1, 0, [0, 0, 40], 175, 175),
    ],
  }),
  curve(second, { edges_us: [150, 175, 200], columns: [column(0, 0, [1, 3], 200, 200)] }),
];

function drawn(key: string) {
  const entries = heatEntries(en, run, SCENARIO, styles, CURVES);
  const entry = entries.find((each) => each.key === key);
  const figure = entry && latencyOverTimeFigure(en, entries, entry);
  if (figure?.chart.kind !== "heat") throw new Error("nothing is drawn");
  return { ...figure, chart: figure.chart };
}

describe("latencies over time", () => {
  it("are offered for entries whose tool tells them", () => {
    const offered = heatEntries(en, run, SCENARIO, styles, CURVES).map(({ key }) => key);
    expect(offered.sort()).toEqual([first, second].sort());
    expect(heatEntries(en, run, SCENARIO, styles, [curve(first, null)])).toEqual([]);
    expect(heatEntries(en, run, "another", styles, CURVES)).toEqual([]);
  });

  it("stand on one scale for all entries, each cell as a share of its column", () => {
    const { chart } = drawn(first);
    expect(chart.edges_us).toEqual([100, 125, 150, 175, 200]);
    expect(chart.columns.map(({ shares }) => shares)).toEqual([
      [0.75, 0.25, 0, 0],
      [0, 0, 0, 0],
      [0, 0, 1, 0],
    ]);
    expect(drawn(second).chart.columns[0]?.shares).toEqual([0, 0, 0.25, 0.75]);
  });

  it("have the blocks beside each other, and say each column in words", () => {
    const { chart, table } = drawn(first);
    const [one, two] = chart.spans;
    expect([one?.from, one?.to]).toEqual([0, 2]);
    expect(two?.from).toBeGreaterThan(2);
    expect(chart.columns[2]?.from).toBe(two?.from);
    expect(specOf(en, chart).stops[0]?.map(({ text }) => text)).toEqual([
      "block 1, 0 to 1 s of load: half of the responses within 125\u00a0µs, all within 150\u00a0µs",
      "block 1, 1 to 2 s of load: no response",
      "block 2, 0 to 1 s of load: half of the responses within 175\u00a0µs, all within 175\u00a0µs",
    ]);
    expect(table.rows.map(({ csv }) => csv)).toEqual([
      [0, 0, 1, 30, 10, 0, 0],
      [0, 1, 2, 0, 0, 0, 0],
      [1, 0, 1, 0, 0, 40, 0],
    ]);
  });
});
