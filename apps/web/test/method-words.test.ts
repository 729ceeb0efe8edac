import type { Scenario } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { loadInWords } from "@/lib/load-words";
import { secondsInWords } from "@/lib/method-words";
import { en } from "./words";

const scenario = { id: "s", duration_s: 10, warmup_s: 1, load: { kind: "closed" } } as Scenario;
const words = (...args: Parameters<typeof secondsInWords> extends [unknown, ...infer Rest] ? Rest : never) =>
  secondsInWords(en, ...args).replaceAll("\u00a0", " ");
const trial = (more: object) => ({
  scenario: "s",
  duration_s: 10,
  warmup_s: 1,
  warmup_us: null,
  warmup_steady: null,
  ...more,
});

describe("the seconds of a scenario", () => {
  const spec = { duration_s: 3, warmup_s: null };

  it("are what was asked for until there are trials", () => {
    expect(words(scenario, spec, [])).toBe("3 s measured after 1 s of warm-up");
  });

  it("are those of its trials, which may differ from what was asked for", () => {
    const trials = [trial({ duration_s: 40 }), trial({ duration_s: 40 }), trial({ scenario: "other" })];
    expect(words(scenario, spec, trials)).toBe("40 s measured after 1 s of warm-up");
  });

  it("are the most that a search may take, which ends when it has found its rate", () => {
    const search = { ...scenario, load: { kind: "knee" } } as Scenario;
    expect(words(search, spec, [trial({ duration_s: 38 })])).toBe(
      "at most 38 s measured after 1 s of warm-up",
    );
  });

  it("are written in tenths at most", () => {
    const trials = [trial({ warmup_us: 800_000 }), trial({ warmup_us: 1_380_000 })];
    expect(words(scenario, spec, trials)).toBe("10 s measured after 0.8 s to 1.4 s of warm-up (1 s planned)");
  });

  it("tell how long the warm-up really was, and in how many trials it was not steady", () => {
    const trials = [
      trial({ warmup_us: 1_040_000 }),
      trial({ warmup_us: 6_120_000, warmup_steady: true }),
      trial({ warmup_us: 8_000_000, warmup_steady: false }),
    ];
    expect(words(scenario, spec, trials)).toBe(
      "10 s measured after 1 s to 8 s of warm-up (1 s planned), not steady in 1 of 2 trials",
    );
  });
});

it("a bound that was asked for is exact", () => {
  const within = (p99_us: number) =>
    loadInWords(en, {
      kind: "knee",
      p99_us,
      start_per_s: 1000,
      most_per_s: 64_000,
      connections: 64,
      keep_alive: true,
      pipeline: 1,
    } as Scenario["load"]).replaceAll("\u00a0", " ");
  expect(within(1000)).toBe("highest rate with p99 within 1 ms, 64 connections, keep-alive");
  expect(within(1500)).toContain("within 1.50 ms");
  expect(within(200)).toContain("within 200 µs");
});
