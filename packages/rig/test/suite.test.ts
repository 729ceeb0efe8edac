import { describe, expect, it } from "vitest";
import { after, beside, failed, passed, runSuites, type Suite } from "../src/suite";

describe("lanes of suites", () => {
  const order: string[] = [];
  const named = (name: string, outcome = passed): Suite => ({
    name,
    run: async () => {
      order.push(name);
      return outcome;
    },
  });

  it("hold a suite back until one of another lane has ended, also where that failed", async () => {
    const packed = named("packed", failed("no compiler"));
    const code = await runSuites([
      named("check"),
      beside([after(packed, named("journeys"))], [named("tests"), packed]),
    ]);
    expect(order).toEqual(["check", "tests", "packed", "journeys"]);
    expect(code).toBe(1);
  });
});
