import { expect, it } from "vitest";
import { latencyBound, ofTrialIn, rankingOf, rateBound, trialBound, trialRateBound } from "../src/ranking";

it("a bound is written as packages/stats gives it, of each figure its own", () => {
  const fixed = { lower_bound: true, latency_bound: "at-most" as const };
  const closed = { lower_bound: true, latency_bound: null };
  expect([fixed, closed, undefined].map(rateBound)).toEqual(["≥", "≥", null]);
  expect([fixed, closed, undefined].map(latencyBound)).toEqual(["≤", null, null]);
  const metrics = ["requests_per_s", "p99_us", "cpu_us_per_request", "first_byte_p50_us"] as const;
  expect(metrics.map((m) => rankingOf(m).boundOf(fixed))).toEqual(["≥", "≤", null, "≤"]);
});

it("a trial's bound is that of what ranks; by itself its rate is one where the tool was the bottleneck", () => {
  const trial = { trial_id: "a", counts: true, bound: "at-most" as const, cpu_us_per_request: 12.5 };
  expect(rankingOf("cpu_us_per_request").ofTrial({ result: null }, trial)).toBe(12.5);
  const bound = (trial_id: string) => trialBound(ofTrialIn({ trials: [trial] }, { trial_id }));
  expect([bound("a"), bound("b")]).toEqual(["≤", null]);
  expect([trialRateBound({ limit: "generator-bound" }), trialRateBound({ limit: "server-bound" })]).toEqual([
    "≥",
    null,
  ]);
});
