import { InstallStep } from "@rigmark/protocol";
import { expect, test } from "vitest";
import type { StepReport } from "../src/index";
import { INSTALL_STEPS, installSteps } from "../src/install-steps";

const at = "2026-11-25T12:00:00.000Z";
const report = (step: InstallStep, state: StepReport["state"] = "done", text = ""): StepReport => ({
  step,
  state,
  text,
  at,
});
const states = (reports: StepReport[], known: { enrolled?: boolean; online?: boolean } = {}) =>
  installSteps(reports, { enrolled: false, online: false, ...known })
    .map(({ state }) => state)
    .join(" ");

test("the steps are those of the wire, in its order", () => {
  expect(INSTALL_STEPS).toEqual(InstallStep.options);
});

test("the step after the last that was reported is under way", () => {
  expect(states([])).toBe("under-way waiting waiting waiting waiting waiting waiting");
  expect(states([report("started"), report("downloaded")])).toBe(
    "done done under-way waiting waiting waiting waiting",
  );
});

test("an update leaves steps out, and a report may be lost", () => {
  expect(states([report("started"), report("installed")])).toBe(
    "done left-out left-out left-out done under-way waiting",
  );
});

test("a failure ends it, and nothing is under way behind it", () => {
  const reports = [report("started"), report("verified", "failed", "the signature is not by the key")];
  expect(states(reports)).toBe("done not-reached failed not-reached not-reached not-reached not-reached");
  expect(installSteps(reports, { enrolled: false, online: false })[2]?.text).toContain("signature");
});

test("what the app knows counts more than what was reported", () => {
  const all = INSTALL_STEPS.slice(0, 5).map((step) => report(step));
  expect(states(all, { enrolled: true })).toBe("done done done done done done under-way");
  expect(states(all, { enrolled: true, online: true })).toBe("done done done done done done done");
  const late = [...all, report("enrolled"), report("service", "skipped", "No service was made.")];
  expect(states(late, { enrolled: true })).toBe("done done done done done done skipped");
  const [last] = installSteps(late, { enrolled: true, online: true }).slice(-1);
  expect(last).toEqual({ step: "service", state: "done", text: "" });
});
