import { describe, expect, it } from "vitest";
import { pagePoints, QUERY_POINTS, reportPoints } from "../src/points";

describe("points of a series", () => {
  it("are no more in a report of more runs", () => {
    for (const runs of [1, 2, 8]) expect(runs * 300 * reportPoints(runs * 300)).toBeLessThanOrEqual(12_000);
    expect([0, 10].map(reportPoints)).toEqual([120, 120]);
    expect(reportPoints(100_000)).toBe(4);
  });

  it("that a page asks for are as many as may be asked for", () => {
    const wanted = [0, 1, 100, 100_000].map(pagePoints);
    expect(wanted).toEqual([600, 600, 120, 12]);
    for (const points of wanted) {
      expect(points).toBeGreaterThanOrEqual(QUERY_POINTS.least);
      expect(points).toBeLessThanOrEqual(QUERY_POINTS.most);
    }
  });
});
