import { expect } from "vitest";

interface Ended {
  state: string;
  trials: { state: string }[];
}

/**
 * Each trial of the run was measured to its end. Whether one counts is up to the host: a run none of whose trials counts is
 * failed.
 */
export function expectMeasured({ state, trials }: Ended, words: string): void {
  const states = new Set(trials.map((trial) => trial.state));
  expect(states.size, words).toBeGreaterThan(0);
  expect(["valid", "invalid"], words).toEqual(expect.arrayContaining([...states]));
  expect(state, words).toBe(states.has("valid") ? "succeeded" : "failed");
}
