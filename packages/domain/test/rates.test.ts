import { describe, expect, it } from "vitest";
import { withoutIdle } from "../src/internal/sample/idle";
import { toPoints } from "../src/internal/sample/rates";
import { SampleStore, type StoredSample } from "../src/internal/sample/store";

const sample = (t_s: number, more: Partial<StoredSample> = {}): StoredSample => ({
  seq: t_s,
  t_us: t_s * 1e6,
  measured: true,
  requests: null,
  requests_t_us: null,
  loopback_bytes: null,
  server_cpu_us: null,
  server_rss_bytes: null,
  tool_cpu_us: null,
  ...more,
});

describe("cumulative counters to points", () => {
  it("count from the start of the measured window, with warm-up before it", () => {
    const samples = [
      sample(10, { measured: false, requests: 0, tool_cpu_us: 0, server_cpu_us: 0 }),
      sample(11, { measured: false, requests: 500, tool_cpu_us: 500_000, server_cpu_us: 900_000 }),
      sample(12, { requests: 0, tool_cpu_us: 0, server_cpu_us: 1_800_000 }),
      sample(13, { requests: 1000, tool_cpu_us: 700_000, server_cpu_us: 2_700_000 }),
    ];
    const points = toPoints(samples, { begin_us: 10e6, warmup_s: 2, measure_us: 12e6 });
    expect(points.map((p) => [p.t_s, p.window, p.requests_per_s])).toEqual([
      [-1, "warm-up", 500],
      [0, "measure", null],
      [1, "measure", 1000],
    ]);
    // The tool began anew; the server went on.
    expect(points.map((p) => p.tool_cpu_cores)).toEqual([0.5, null, 0.7]);
    expect(points.map((p) => p.server_cpu_cores)).toEqual([0.9, 0.9, 0.9]);
  });

  it("have all of a warm-up before the measured window, however long it took", () => {
    // Planned were 2 s; the server was steady after 5.
    const samples = [10, 11, 12, 13, 14, 15].map((t) => sample(t, { measured: false, requests: t * 100 }));
    const seen = toPoints(samples, { begin_us: 10e6, warmup_s: 2, measure_us: null });
    expect(seen.map((p) => p.t_s)).toEqual([-4, -3, -2, -1, 0]);
    const known = toPoints(samples.slice(0, 3), {
      begin_us: 10e6,
      warmup_s: 2,
      warmup_us: 5e6,
      measure_us: 20e6,
    });
    expect(known.map((p) => p.t_s)).toEqual([-4, -3]);
  });

  it("say where a rate comes from, and leave what is unknown null", () => {
    const [bytes] = toPoints([sample(0, { loopback_bytes: 0 }), sample(2, { loopback_bytes: 4096 })], {
      begin_us: null,
      warmup_s: 0,
      measure_us: 0,
    });
    expect(bytes).toMatchObject({ rate_source: "loopback", requests_per_s: null, bytes_per_s: 2048 });
    const [nothing] = toPoints([sample(0), sample(1)], { begin_us: null, warmup_s: 0, measure_us: null });
    expect(nothing).toMatchObject({
      rate_source: null,
      requests_per_s: null,
      bytes_per_s: null,
      server_cpu_cores: null,
    });
    const [fallen] = toPoints([sample(0, { requests: 10 }), sample(1, { requests: 5 })], {
      begin_us: null,
      warmup_s: 0,
      measure_us: 0,
    });
    expect(fallen?.requests_per_s).toBeNull();
    const [still] = toPoints([sample(1, { requests: 10 }), sample(1, { requests: 20 })], {
      begin_us: null,
      warmup_s: 0,
      measure_us: 0,
    });
    expect(still?.requests_per_s).toBeNull();
  });

  it("take the time of the tool's own count", () => {
    const tick = (t_s: number, requests: number, at_s: number) =>
      sample(t_s, { requests, requests_t_us: at_s * 1e6, loopback_bytes: t_s * 10 });
    // 1000 a second all the while; the counts are up to 0.9 s old, and the last sample has no new one.
    const points = toPoints(
      [tick(0, 0, 0), tick(1, 100, 0.1), tick(2, 1100, 1.1), tick(3, 3000, 3), tick(3.1, 3000, 3)],
      { begin_us: null, warmup_s: 0, measure_us: 0 },
    );
    expect(points.map((p) => p.requests_per_s)).toEqual([1000, 1000, 1000, null]);
    expect(points.map((p) => p.rate_source)).toEqual(["tool", "tool", "tool", "tool"]);
  });

  it("tell the rates of a trial's own slices, whatever happens between them", () => {
    // 0.5 s of load at 1000 bytes and 0.8 cores a second, then 1.5 s in which others have theirs.
    const samples = Array.from({ length: 40 }, (_, i) => {
      const [round, ends] = [Math.floor(i / 2), i % 2];
      return sample(round * 2 + ends / 2, {
        seq: i,
        // A byte of housekeeping, and the end of what was under way.
        loopback_bytes: round * 501 + ends * 500,
        server_cpu_us: round * 410_000 + ends * 400_000,
        tool_cpu_us: ends ? (round + 1) * 100_000 : null,
      });
    });
    const origin = { begin_us: null, warmup_s: 0, measure_us: 0 };
    for (const kept of [withoutIdle(samples), SampleStore.downsample(withoutIdle(samples), 6)]) {
      const points = toPoints(kept, origin);
      expect(points.length).toBeGreaterThanOrEqual(5);
      expect(points.map((p) => p.bytes_per_s)).toEqual(points.map(() => 1000));
      for (const { server_cpu_cores } of points) expect(server_cpu_cores).toBeCloseTo(0.8);
      // They stay where they were in time.
      expect(points.at(-1)?.t_s).toBe(38.5);
    }
    // A whole trial has no gap: its first sample comes before the tool starts.
    const whole = [sample(0), sample(1, { tool_cpu_us: 5 }), sample(2, { tool_cpu_us: 9 })];
    expect(withoutIdle(whole).map((s) => [s.t_us, s.idle_us])).toEqual(whole.map((s) => [s.t_us, 0]));
  });

  it("keep the total when there are too many", () => {
    const samples = Array.from({ length: 1000 }, (_, i) => sample(i, { requests: i * i, measured: i >= 10 }));
    const kept = SampleStore.downsample(samples, 100);
    expect(kept.length).toBeLessThanOrEqual(103);
    expect([kept[0], kept.at(-1)]).toEqual([samples[0], samples[999]]);
    expect(kept.some((s) => s.t_us === 10e6) && kept.some((s) => s.t_us === 9e6)).toBe(true);
  });
});
