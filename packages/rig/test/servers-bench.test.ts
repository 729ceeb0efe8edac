import { describe, expect, it } from "vitest";
import type { Result, Slice } from "../src/bench/servers-compare";
import { cpuRatio, goals } from "../src/bench/servers-figures";

const slices = (count: number, cpu_us: number, requests = 1000): Slice[] =>
  Array.from({ length: count }, (_, at) => ({
    requests,
    seconds: 0.3,
    // Both sides drift alike, as a machine does.
    cpu_us: cpu_us * (1 + at / 10),
    tool_us: 0,
  }));
const result = (name: string, paced: Slice[], fault: string | null = null): Result => ({
  name,
  closed: [],
  paced,
  fault,
});

describe("the servers' bench", () => {
  it("compares what was measured in one round, so that a drift of both is none", () => {
    const found = cpuRatio(result("epoll", slices(24, 3000)), result("nginx", slices(24, 4000)));
    expect(found).toMatchObject({ pairs: 24, dropped: 0 });
    expect(found?.ratio).toBeCloseTo(0.75);
    expect(found?.upper).toBeCloseTo(0.75);
  });

  it("drops and counts pairs whose rates do not agree, and says nothing with fewer than 20", () => {
    const slow = [...slices(19, 3000), ...slices(5, 3000, 900)];
    expect(cpuRatio(result("epoll", slow), result("nginx", slices(24, 4000)))).toEqual({
      ratio: null,
      upper: null,
      pairs: 19,
      dropped: 5,
    });
  });

  it("has no figure for a server that was found out, and says so as null", () => {
    const cheat = result("epoll", slices(24, 1), "12 of 500 requests failed");
    const all = new Map([["1k", { rate: 1000, results: [cheat, result("nginx", slices(24, 4000))] }]]);
    expect(cpuRatio(cheat, result("nginx", slices(24, 4000)))).toBeNull();
    expect(goals(all).find((goal) => goal.name === "1k_cpu_epoll_to_nginx")).toMatchObject({
      value: null,
      holds: null,
    });
  });

  it("holds what is within the limit and not what is above", () => {
    const nginx = result("nginx", slices(24, 4000));
    const all = new Map([
      [
        "1k",
        { rate: 1000, results: [result("epoll", slices(24, 3000)), result("asm", slices(24, 3500)), nginx] },
      ],
    ]);
    const holds = (name: string): boolean | null | undefined =>
      goals(all).find((goal) => goal.name === name)?.holds;
    expect(holds("1k_cpu_epoll_to_nginx")).toBe(true);
    expect(holds("1k_cpu_asm_to_nginx")).toBe(false);
  });
});
