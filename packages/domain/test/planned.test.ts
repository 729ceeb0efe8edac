import { describe, expect, it } from "vitest";
import { plannedRange } from "../src/run/planned";
import { SCENARIO } from "../src/testing/fixtures";

const spec = (duration_s: number | null) => ({
  entries: [{ label: "epoll", server: "epoll", options: {} }],
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
    const least = (duration_s: number | null, scenario = SCENARIO) =>
      plannedRange(spec(duration_s), [scenario]).min_s - 4 * 0.5;
    expect([least(1), least(null)]).toEqual([4, 40]);
    expect([least(1, knee), least(null, knee), least(60, knee)]).toEqual([160, 160, 240]);
  });
});
