import type { Scenario } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { plannedRange } from "../src/planned";
import { baseOf, numbersOf, referenceOf, withNumbers } from "../src/scenario-numbers";

const rate: Scenario = {
  schema: 1,
  id: "plaintext-cpu",
  title: "Plaintext, loadgen, CPU a request at 10,000 a second",
  summary: "",
  workload: "plaintext",
  tool: "loadgen",
  path: "/plaintext",
  body_bytes: 13,
  load: { kind: "rate", rate_per_s: 10_000, connections: 64, keep_alive: true },
  duration_s: 10,
  warmup_s: 1,
};

describe("numbers of a scenario", () => {
  it("have one name, as the agent writes it", () => {
    expect(referenceOf(rate, {})).toBe("plaintext-cpu");
    expect(referenceOf(rate, { connections: 64, rate: 10_000, in_flight: 1, duration: 10 })).toBe(
      "plaintext-cpu",
    );
    expect(referenceOf(rate, { rate: 500, in_flight: 4, connections: 8, duration: 0.5 })).toBe(
      "plaintext-cpu:connections=8,duration=0.5s,in_flight=4,rate=500",
    );
  });

  it("are read from a name", () => {
    expect(numbersOf("plaintext-cpu")).toEqual({});
    expect(numbersOf("a:connections=8,duration=0.5s")).toEqual({ connections: 8, duration: 0.5 });
    for (const wrong of ["a:", "a:connections", "a:path=1", "a:connections=1,connections=2", "a:rate=1e3"])
      expect(numbersOf(wrong), wrong).toBeNull();
    expect(baseOf("a:connections=8")).toBe("a");
  });

  it("change what a run takes", () => {
    const set = withNumbers(rate, { duration: 2, rate: 500 });
    expect(set).toMatchObject({ id: "plaintext-cpu:duration=2s,rate=500", duration_s: 2 });
    expect(set.load).toMatchObject({ rate_per_s: 500, connections: 64 });
    const entries = [{ label: "a", server: "a", options: {} }];
    const spec = { entries, repeats: 1, warmup_s: 0, duration_s: 60 };
    // A duration of its own counts before that of the run.
    expect(plannedRange(spec, [set]).max_s).toBeLessThan(plannedRange(spec, [rate]).max_s);
  });
});
