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
const ratio = { estimate: 1.2, low: 1.1, high: 1.3, confidence: 0.95 };
/** Of a run whose rivals have so many blocks in common with the baseline. */
const compared = (...blocks: number[]) => ({
  scenarios: blocks.map((n) => ({
    entries: [
      { ratio: null, blocks_in_common: null },
      { ratio, blocks_in_common: n },
    ],
  })),
});

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
  it("names the blocks of its intervals, and nothing where there is none", () => {
    const sure = (summary: Parameters<typeof sureLine>[1]["summary"]) =>
      sureLine(en, { summary, environment: null });
    expect(sure(compared(6))).toBe("Each ratio has its 95 % confidence interval, from 6 blocks.");
    expect(sure(compared(9, 6))).toBe("Each ratio has its 95 % confidence interval, from 6 to 9 blocks.");
    // Measured, and not compared: alone, by single requests, or with no spread.
    expect(sure({ scenarios: [{ entries: [{ ratio: null, blocks_in_common: 6 }] }] })).toBeNull();
    expect(sure(null)).toBeNull();
  });
});
