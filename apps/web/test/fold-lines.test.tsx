import { describe, expect, it } from "vitest";
import { Fold } from "@/components/ui/fold";
import { environmentLine, hasFailed, sureLine, trialsLine, verifyLine } from "@/lib/results/fold-lines";
import { en, render } from "./words";

type Verify = Parameters<typeof verifyLine>[1][number];
const verify = (...statuses: ("passed" | "failed" | "skipped")[]): Verify => ({
  status: statuses.includes("failed") ? "failed" : "passed",
  checks: statuses.map((status, i) => ({
    id: `check-${i}`,
    title: "a check",
    status,
    message: null,
    expected_bytes: null,
    actual_bytes: null,
  })),
});
const blocks = (n: number) => Array.from({ length: n }, (_, block) => ({ state: "valid" as const, block }));

describe("the line of a folded part", () => {
  it("says what failed, and only then it stands open", () => {
    const [good, bad] = [[verify("passed", "skipped")], [verify("passed", "failed")]];
    expect([verifyLine(en, good), hasFailed(good)]).toEqual(["1 check passed", false]);
    expect([verifyLine(en, bad), hasFailed(bad)]).toEqual(["1 of 2 checks failed", true]);
    expect(verifyLine(en, [{ ...verify(), status: "failed" }])).toBe("1 of 1 check failed");
    const html = render(
      <Fold title="Verification" line={verifyLine(en, good)} open={hasFailed(good)}>
        inside
      </Fold>,
    );
    expect(html).toMatch(/^<details data-fold="true"><summary><h2[^>]*>Verification<\/h2>/);
    expect(html).toContain("inside");
  });

  it("counts trials, and knows no environment that was not reported", () => {
    expect(trialsLine(en, [{ state: "valid" }, { state: "invalid" }])).toBe("1 of 2 trials valid");
    expect(trialsLine(en, [{ state: "valid" }])).toBe("1 of 1 trial valid");
    expect(environmentLine(en, null)).toBe("The host did not report it.");
  });
});

describe("how sure a run is", () => {
  it("names the blocks of its intervals, and nothing where there are too few for any", () => {
    expect(sureLine(en, { trials: blocks(6), environment: null })).toBe(
      "Each ratio has its 95 % confidence interval, from 6 blocks.",
    );
    expect(sureLine(en, { trials: blocks(4), environment: null })).toBeNull();
  });
});
