import type { StepReport } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { InstallSteps } from "@/components/host/install-steps";
import { render } from "./words";

const report = (step: StepReport["step"], state: StepReport["state"], text = ""): StepReport => ({
  step,
  state,
  text,
  at: "2026-11-25T12:00:00.000Z",
});
const begun = [
  report("started", "done", "Linux on aarch64"),
  report("downloaded", "done", "rigmark-0.1.0-aarch64-unknown-linux-musl.tar.gz"),
];
const checks = { ok: 9, warn: 2, fail: 1, unknown: 3 };
/** State and name of each step, as a reader hears them. */
const lines = (html: string): string[] =>
  [...html.matchAll(/<li.*?<\/li>/gs)].map(([li]) =>
    li
      .replace(/<[^>]+>/g, " ")
      .replace(/\s+/g, " ")
      .trim(),
  );

describe("the steps of an installation", () => {
  it("say what is done, what is under way and what is to come", () => {
    const html = render(<InstallSteps reports={begun} host={null} />);
    expect(html).toContain('aria-live="polite"');
    expect(html.match(/aria-atomic="true"/g)).toHaveLength(8);
    expect(lines(html)).toEqual([
      "done Script started : Linux on aarch64",
      "done Download : rigmark-0.1.0-aarch64-unknown-linux-musl.tar.gz",
      "under way Checksums and signature",
      "to come Test start of the agent",
      "to come Files in place",
      "to come Enrollment",
      "to come Service",
      "to come Doctor",
    ]);
  });

  it("name the one that failed, with its sentence as text", () => {
    const failed = report(
      "verified",
      "failed",
      "<b>k6</b> is not what SHA256SUMS says; nothing was installed.",
    );
    const html = render(<InstallSteps reports={[...begun, failed]} host={null} />);
    expect(html).toContain("&lt;b&gt;k6&lt;/b&gt; is not what SHA256SUMS says");
    expect(lines(html)[2]).toMatch(/^failed Checksums and signature : /);
    expect(lines(html)[3]).toBe("not reached Test start of the agent");
    expect(lines(html).at(-1)).toBe("not reached Doctor");
    expect(html).not.toContain("under way");
  });

  it("end with what doctor found", () => {
    const enrolled = [...begun, report("enrolled", "done")];
    const waits = render(<InstallSteps reports={enrolled} host={{ online: true, checks: null }} />);
    expect(lines(waits).slice(-2)).toEqual(["done Service", "under way Doctor"]);
    const found = render(<InstallSteps reports={enrolled} host={{ online: true, checks }} />);
    expect(lines(found).at(-1)).toBe("done Doctor : 3 of 15 checks need attention");
    const fine = { ok: 14, warn: 0, fail: 0, unknown: 0 };
    expect(render(<InstallSteps reports={enrolled} host={{ online: true, checks: fine }} />)).toContain(
      "nothing to fix in 14 checks",
    );
  });
});
