import { readFileSync } from "node:fs";
import { HostFacts } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { HostCalibrationPanel, HostNoisePanel } from "@/components/host/host-noise";
import { render } from "./words";

const golden = new URL("../../../packages/protocol/golden/host-facts.json", import.meta.url);
const facts = HostFacts.parse(JSON.parse(readFileSync(golden, "utf8")));
const noise = (of: HostFacts) => render(<HostNoisePanel noise={of.noise} />);
const calibration = (of: HostFacts) => render(<HostCalibrationPanel facts={of} />);
/** Words of a command are kept whole by an element each. */
const command = (text: string): string =>
  `<code>${text
    .split(" ")
    .map((word) => `<span[^>]*>${word}</span>`)
    .join(" ")}</code>`;
const bare = { ...facts, noise: null, calibration: null };

describe("what a host can show", () => {
  it("is its score and each part of it, unknown where it could not be read", () => {
    const html = noise(facts);
    expect(html).toContain("71.5 of 100, where 100 is quiet");
    expect(html).toMatch(/Steal.*<span class="tabular-nums">–<\/span>/);
  });

  it("is the least difference for each number of blocks", () => {
    const html = calibration(facts);
    expect(html).toContain(
      "With 5 blocks and trials of 10\u00a0s, this host can show differences of 2.4\u00a0% or more in four of five runs.",
    );
    expect(html).toContain("A/A test of epoll, static-1k-loadgen, requests per second");
    expect(html).toMatch(/20 blocks<\/th><td[^>]*>0.9\u00a0%/);
  });

  it("is a command where nobody measured", () => {
    expect(noise(bare)).toMatch(new RegExp(command("rigmark doctor")));
    expect(calibration(bare)).toMatch(new RegExp(`Run an .*A/A test.*${command("rigmark calibrate")}`));
  });

  it("is out of date on a host that is not what it was", () => {
    const check = {
      id: "calibration",
      title: "Calibration",
      status: "warn",
      found: "Out of date.",
      why: null,
      fix: null,
    };
    const html = calibration({ ...bare, checks: [HostFacts.shape.checks.element.parse(check)] });
    expect(html).toMatch(new RegExp(`have changed since.*${command("rigmark calibrate")}`));
  });

  it("shows nothing where the noise is beyond all numbers", () => {
    const wild = facts.calibration && { ...facts.calibration, smallest: [] };
    expect(calibration({ ...facts, calibration: wild })).toContain("too noisy to show any difference");
  });
});
