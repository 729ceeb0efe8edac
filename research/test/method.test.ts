import { describe, expect, it } from "vitest";
import { isDifference, judged, Recorded, type RecordedTrial } from "../src/method/record";
import { drawing, logRatios, pairsOf, scaled, some, spread, swapped, verdictOf } from "../src/method/sets";

const scenario = { id: "plaintext-loadgen", title: "Plaintext", tool: "loadgen", load: { kind: "closed" } };

const trial = (entry_key: string, block: number, requests_per_s: number): RecordedTrial => ({
  trial_id: `${entry_key}${block}`,
  entry_key,
  scenario: scenario.id,
  block,
  status: "valid",
  reasons: [],
  labels: [],
  limit: "server-bound",
  slices: [],
  result: {
    requests: 1000,
    requests_per_s,
    failures: { total: 0 },
    bytes_received: 1,
    offered: null,
    latency: null,
  },
  resources: { server_cpu_us: 5000, server_rss_peak_bytes: 1 },
});

/** Ten blocks: b is `factor` times a, with noise of about 1 % that differs from block to block. */
const run = (factor: number): Recorded =>
  Recorded.parse({
    status: "succeeded",
    plan: {
      entries: [
        { key: "x", label: "a", baseline: true },
        { key: "y", label: "b", baseline: false },
      ],
      scenarios: [scenario],
    },
    trials: Array.from({ length: 10 }, (_, block) => [
      trial("x", block, 1000 * (1 + block / 10)),
      trial("y", block, 1000 * (1 + block / 10) * factor * (1 + Math.sin(7 * block) / 100)),
    ]).flat(),
    summary: {
      scenarios: [
        {
          scenario: scenario.id,
          metric: "requests_per_s",
          entries: [
            { entry_key: "y", verdict: "slower", ratio: { estimate: 0.9, low: 0.8, high: 0.95 } },
            { entry_key: "x", verdict: null, ratio: null },
          ],
        },
      ],
    },
  });

describe("the method's bench", () => {
  it("asks the statistics of a report, and finds what was put in and nothing else", () => {
    const pairs = pairsOf(run(1), scenario.id);
    expect(verdictOf(pairs, scenario).verdict).toBe("no-difference");
    const dearer = pairs.map((pair) => scaled(pair, "requests_per_s", 0.9));
    expect(verdictOf(dearer, scenario).verdict).toBe("slower");
    expect(verdictOf(dearer.map(swapped), scenario).verdict).toBe("faster");
  });

  it("takes a block out whose trials do not both count", () => {
    const broken = run(1);
    const [first] = broken.trials;
    if (first) first.status = "invalid";
    expect(pairsOf(broken, scenario.id)).toHaveLength(9);
  });

  it("compares CPU time per request, and only where it is known", () => {
    const pairs = pairsOf(run(1), scenario.id);
    const dearer = pairs.map((pair) => scaled(pair, "cpu_us_per_request", 1.05));
    expect(logRatios(dearer, "cpu_us_per_request")).toEqual(Array(10).fill(expect.closeTo(Math.log(1.05))));
    for (const { b } of dearer) if (b.resources) b.resources.server_cpu_us = null;
    expect(logRatios(dearer, "cpu_us_per_request")).toEqual([]);
    expect(spread([])).toBeNull();
  });

  it("reads the verdict on the entry that is not the baseline", () => {
    expect(judged(run(0.9), scenario.id)).toMatchObject({ verdict: "slower", metric: "requests_per_s" });
    expect(["faster", "slower", "no-difference", "not-comparable", null].map(isDifference)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("draws the same sets each time, each block at most once in one", () => {
    const take = () => some([1, 2, 3, 4, 5], 3, drawing());
    expect(take()).toEqual(take());
    expect(new Set(take()).size).toBe(3);
    const draw = drawing();
    const heads = Array.from({ length: 10_000 }, () => draw() < 0.5).filter(Boolean).length;
    expect(Math.abs(heads - 5000)).toBeLessThan(200);
  });
});
