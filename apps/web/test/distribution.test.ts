import type { LatencyCurve } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { specOf } from "@/components/chart/spec";
import { densityOf } from "@/lib/results/density";
import { distributionFigure } from "@/lib/results/distribution-figure";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const SCENARIO = "static-1k-ab";
const STEPS = [10, 20, 30, 40, 50, 60, 70, 80, 90, 99, 99.9, 99.99];
const curve = (entry_key: string, us: (p: number) => number): LatencyCurve => ({
  scenario: SCENARIO,
  entry_key,
  trials: 5,
  count: 100_000,
  max_us: 1e6,
  resolution_us: 1,
  corrected: false,
  points: STEPS.map((p) => ({ p, us: us(p) })),
  note: null,
  note_zh: null,
  over_time: null,
});

describe("where latencies lie", () => {
  it("is highest where most requests are, and reaches from the first to the last percentile", () => {
    // Nine tenths between 100 and 110 µs, a tail up to 1 ms.
    const shape = densityOf(
      STEPS.filter((p) => p < 99.95).map((p) => ({ p, us: p <= 90 ? 100 + p / 9 : 1000 })),
      2,
    );
    const top = shape.find(({ height }) => height === 1);
    expect(top?.us).toBeGreaterThan(95);
    expect(top?.us).toBeLessThan(125);
    expect(shape.at(-1)?.us).toBe(1000);
    expect(shape.find(({ us }) => us > 300)?.height).toBeLessThan(0.2);
  });

  it("of equally long requests is still a shape, and of one percentile none", () => {
    const same = densityOf(
      [50, 60, 70].map((p) => ({ p, us: 250 })),
      1,
    );
    expect(same[0]).toEqual({ us: 250, height: 1 });
    expect(same.every(({ height }) => Number.isFinite(height))).toBe(true);
    expect(densityOf([{ p: 50, us: 250 }], 1)).toEqual([]);
  });
});

describe("the distribution of an entry's latencies", () => {
  const [first, second] = run.entries.map((e) => e.key);
  const curves = [curve(first ?? "", (p) => 100 + p)];

  it("is drawn where the tool gives histograms only", () => {
    expect(distributionFigure(en, run, SCENARIO, styles, [])).toBeNull();
    const figure = distributionFigure(en, run, SCENARIO, styles, curves);
    const rows = figure?.chart.kind === "ridges" ? figure.chart.rows : [];
    expect(rows.find((r) => r.key === first)).toMatchObject({ median: 150, reason: null });
    expect(rows.find((r) => r.key === second)).toMatchObject({ shape: [], reason: "no histogram" });
  });

  it("has the same figures in words, as table and as CSV", () => {
    const figure = distributionFigure(en, run, SCENARIO, styles, curves);
    if (!figure) throw new Error("no figure");
    for (const row of figure.table.rows) {
      expect(row.cells).toHaveLength(figure.table.columns.length);
      expect(row.csv).toHaveLength(figure.table.csv.length);
    }
    const cells = figure.table.rows.find((r) => r.key === first)?.cells.map((c) => c.text);
    expect(cells?.[1]).toMatch(/110\u00a0µs$/);
    expect(cells?.[2]).toBe("–");
    const stops = specOf(en, figure.chart).stops.flat();
    expect(stops.some(({ text }) => /p10 .*110\u00a0µs, p50 .*150\u00a0µs/.test(text))).toBe(true);
  });
});
