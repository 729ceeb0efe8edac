import type { SeriesPoint } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { drawable } from "@/lib/results/drawable";

const p = (t_s: number, window: SeriesPoint["window"] = "measure"): SeriesPoint => ({
  t_s,
  window,
  requests_per_s: 1,
  rate_source: "tool",
  bytes_per_s: 1,
  server_cpu_cores: 1,
  tool_cpu_cores: 1,
  server_rss_bytes: 1,
});
const times = (points: SeriesPoint[]) => drawable(points).map((d) => (d.point ? d.t_s : null));

describe("points as a line shows them", () => {
  it("breaks between warm-up and measured window, and leaves slivers out", () => {
    const points = [p(0.05, "warm-up"), p(0.1, "warm-up"), p(0), p(1.01), p(2.01), p(5.01), p(5.12)];
    const drawn = times(points);
    expect(drawn).toEqual([expect.closeTo(-0.05), null, 1.01, 2.01, 5.01]);
  });

  it("keeps a warm-up that ended in time where it was", () => {
    expect(times([p(-1, "warm-up"), p(-0.01, "warm-up"), p(1), p(2)])).toEqual([-1, -0.01, null, 2]);
  });

  it("shows what little there is", () => {
    expect(times([p(0.5)])).toEqual([0.5]);
    expect(times([p(1), p(2)])).toEqual([1, 2]);
    expect(times([])).toEqual([]);
    expect(times([p(0), p(1)])).toEqual([1]);
    expect(times([p(0)])).toEqual([]);
  });
});
