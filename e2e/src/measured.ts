import { expect } from "vitest";

const OURS = new Set(["verification", "algebra", "kernel-count"]);

interface Ended {
  state: string;
  trials: { state: string; reasons: { code: string }[] }[];
}

/**
 * Each trial of the run was measured to its end. Whether one counts is up to the host: a run none of whose trials counts is
 * failed. What no host can spoil is a fault of ours.
 */
export function expectMeasured({ state, trials }: Ended, words: string): void {
  const states = new Set(trials.map((trial) => trial.state));
  expect(states.size, words).toBeGreaterThan(0);
  expect(["valid", "invalid"], words).toEqual(expect.arrayContaining([...states]));
  const reasons = trials.flatMap((trial) => trial.reasons.map(({ code }) => code));
  expect(
    reasons.filter((code) => OURS.has(code)),
    words,
  ).toEqual([]);
  expect(state, words).toBe(states.has("valid") ? "succeeded" : "failed");
}
