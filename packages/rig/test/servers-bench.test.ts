import { describe, expect, it } from "vitest";
import { type Result, type Slice, undisturbed } from "../src/bench/servers-compare";
import { cpuRatio, enough, goals } from "../src/bench/servers-figures";
import { orders, placesOf, quietRounds } from "../src/bench/servers-order";

const slices = (count: number, cpu_us: number, requests = 1000): Slice[] =>
  Array.from({ length: count }, (_, at) => ({
    requests,
    seconds: 0.3,
    // Both sides drift alike, as a machine does.
    cpu_us: cpu_us * (1 + at / 10),
    tool_us: 0,
    taken: 0,
  }));
const result = (name: string, paced: Slice[], fault: string | null = null): Result => ({
  name,
  closed: [],
  paced,
  fault,
});

const measured = { rate: 1000, rounds: 24, left_out: 0 };

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
    const all = new Map([["1k", { ...measured, results: [cheat, result("nginx", slices(24, 4000))] }]]);
    expect(cpuRatio(cheat, result("nginx", slices(24, 4000)))).toBeNull();
    expect(goals(all).find((goal) => goal.name === "1k_cpu_epoll_to_nginx")).toMatchObject({
      value: null,
      holds: null,
      reason: "epoll: 12 of 500 requests failed.",
    });
  });

  it("goes on while turns are missing, and not for a server that was found out", () => {
    const nginx = result("nginx", slices(24, 4000));
    const other = result("epoll", [...slices(10, 3000), ...slices(14, 3000, 900)]);
    expect(enough("1k", [nginx, other])).toBe(false);
    expect(enough("1k", [nginx, result("epoll", slices(24, 3000))])).toBe(true);
    const unsteady = slices(24, 3000).map((slice, at) => ({
      ...slice,
      cpu_us: slice.cpu_us * (1 + 0.3 * (at % 2)),
    }));
    expect(enough("1k", [nginx, result("epoll", unsteady)])).toBe(false);
    expect(enough("1k", [nginx, { ...other, fault: "it did not start" }])).toBe(true);
    const all = new Map([
      ["1k", { ...measured, results: [nginx, other, result("nginx-push", slices(24, 1))] }],
    ]);
    expect(goals(all, "1k").find((goal) => goal.name === "1k_cpu_epoll_to_nginx")?.reason).toBe(
      "Fewer than 20 pairs of turns had the same rate.",
    );
  });

  it("holds what is within the limit and not what is above", () => {
    const nginx = result("nginx", slices(24, 4000));
    const all = new Map([
      [
        "1k",
        { ...measured, results: [result("epoll", slices(24, 3000)), result("asm", slices(24, 3500)), nginx] },
      ],
    ]);
    const holds = (name: string): boolean | null | undefined =>
      goals(all).find((goal) => goal.name === name)?.holds;
    expect(holds("1k_cpu_epoll_to_nginx")).toBe(true);
    expect(holds("1k_cpu_asm_to_nginx")).toBe(false);
  });

  it("meets nginx at the setting that costs it least with its own, whichever these are at a size", () => {
    const nginx = (name: string, cpu_us: number): Result => result(name, slices(24, cpu_us));
    const goal = (...others: Result[]) =>
      goals(new Map([["1m", { ...measured, results: [nginx("epoll", 3000), ...others] }]])).find(
        (each) => each.name === "1m_cpu_epoll_to_nginx",
      );
    expect(goal(nginx("nginx", 6000), nginx("nginx-push", 2500))?.value).toBeCloseTo(1.2);
    expect(goal(nginx("nginx", 2500), nginx("nginx-push", 6000))?.value).toBeCloseTo(1.2);
    expect(goal(nginx("nginx", 6000))?.value).toBeCloseTo(0.5);
    expect(goal(nginx("nginx-push", 6000))?.value).toBeNull();
    const both = [nginx("nginx", 2500), nginx("nginx-push", 6000)];
    expect(goal(...both, nginx("epoll-push", 2600))?.value).toBeCloseTo(1.04);
    expect(goal(...both, nginx("epoll-push", 9000))?.value).toBeCloseTo(1.2);
  });
});

describe("rounds that the host disturbed", () => {
  it("are left out for all alike, and are those in which it took more than usual", () => {
    const roundsOf = (...worst: number[]) => worst.map((share) => [0, share]);
    expect(quietRounds(roundsOf(0.02, 0.3, 0, 0.05))).toEqual([0, 2, 3]);
    expect(quietRounds(roundsOf(0.5, 0.55, 0.48, 0.52))).toEqual([0, 1, 2, 3]);
    expect(quietRounds(roundsOf(0.5, 0.9, 0.48, 0.7))).toEqual([0, 2]);
    expect(quietRounds([])).toEqual([]);
    const taken = (shares: number[], cpu_us: number): Slice[] =>
      slices(shares.length, cpu_us).map((slice, at) => ({ ...slice, taken: shares[at] ?? 0 }));
    const failed = result("asm", taken([0.9], 3000), "it answered 500");
    const { results, rounds, left_out } = undisturbed([
      result("epoll", taken([0, 0, 0.5, 0], 3000)),
      result("nginx", taken([0, 0.3, 0, 0], 4000)),
      failed,
    ]);
    expect({ rounds, left_out }).toEqual({ rounds: 4, left_out: 2 });
    expect(results.map((each) => each.paced.length)).toEqual([2, 2, 1]);
    expect(cpuRatio(results[0] as Result, results[1] as Result)).toMatchObject({ pairs: 2, dropped: 0 });
  });
});

describe("the order of turns", () => {
  it("gives each contender one turn a round, and each order its mirror", () => {
    const rows = orders(5, 8);
    expect(rows).toHaveLength(8);
    for (const row of rows) expect([...row].sort()).toEqual([0, 1, 2, 3, 4]);
    for (const at of [0, 2, 4, 6]) expect(rows[at + 1]).toEqual([...(rows[at] as number[])].reverse());
    expect(placesOf(3, rows)).toEqual(rows.map((row) => row.indexOf(3)));
  });

  it("lets nobody stand at the ends, or behind the same one, more often than others", () => {
    const rows = orders(4, 4000);
    const ends = [0, 0, 0, 0];
    const behindFirst = [0, 0, 0, 0];
    for (const row of rows) {
      for (const at of [row[0], row[3]]) ends[at as number] = (ends[at as number] ?? 0) + 1;
      const next = row[row.indexOf(0) + 1];
      if (next !== undefined) behindFirst[next] = (behindFirst[next] ?? 0) + 1;
    }
    // What is expected, give or take five standard errors of mirrored twos (45 and 22).
    for (const count of ends) expect(Math.abs(count - 2000)).toBeLessThan(225);
    for (const count of behindFirst.slice(1)) expect(Math.abs(count - 1000)).toBeLessThan(112);
  });
});
