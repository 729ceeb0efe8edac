import { describe, expect, it } from "vitest";
import { blockRange, defaultMost } from "../src/blocks";
import { plannedRange } from "../src/planned";

const ENTRY = { label: "epoll", server: "epoll", options: {} };
const SCENARIO = {
  workload: "static" as const,
  load: { kind: "closed" as const, connections: 32, keep_alive: true },
  duration_s: 10,
  warmup_s: 1,
};

const spec = (duration_s: number | null) => ({
  entries: [ENTRY],
  repeats: 4,
  duration_s,
  warmup_s: 0,
});
const knee = {
  ...SCENARIO,
  duration_s: 40,
  load: {
    kind: "knee" as const,
    p99_us: 1000,
    start_per_s: 1000,
    most_per_s: 256_000,
    connections: 64,
    keep_alive: true,
  },
};

describe("how long a run may take", () => {
  it("is what was asked for, but a search for a rate takes its own seconds", () => {
    const least = (
      duration_s: number | null,
      scenario: Parameters<typeof plannedRange>[1][number] = SCENARIO,
    ) => plannedRange(spec(duration_s), [scenario]).min_s - 4 * 0.5;
    expect([least(1), least(null)]).toEqual([4, 40]);
    expect([least(1, knee), least(null, knee), least(60, knee)]).toEqual([160, 160, 240]);
  });
});

describe("the warm-up of trials shorter than the scenario's own", () => {
  it("is shorter too, as the agent plans it, but what was asked for stays", () => {
    const least = (duration_s: number, warmup_s: number | null) =>
      plannedRange({ ...spec(duration_s), warmup_s }, [SCENARIO]).min_s - 4 * 0.5;
    expect([least(10, null), least(5, null), least(1, null)]).toEqual([44, 22, 5]);
    expect(least(1, 1)).toBe(8);
  });
});

describe("the limit of a run with a precision where none was given", () => {
  it("is four times the repeats and at least what a verdict takes, as far as a run may be", () => {
    const blocks = (repeats: number) =>
      blockRange({
        entries: [ENTRY, ENTRY],
        repeats,
        precision: 0.02,
        max_repeats: null,
        scenarios: ["one"],
      });
    expect([1, 2, 5, 60].map((repeats) => blocks(repeats).most)).toEqual([5, 8, 20, 100]);
    expect([1, 2, 5, 60].map((repeats) => blocks(repeats).least)).toEqual([5, 5, 5, 60]);
    // A run holds 1000 trials.
    expect([defaultMost(1, 256), defaultMost(2, 512)]).toEqual([3, 2]);
  });
});
