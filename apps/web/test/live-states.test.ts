import { FINAL_STATES, RunState } from "@rigmark/protocol";
import { expect, it } from "vitest";
import { LIVE_STATES } from "../src/lib/live-states";

it("a run is live, or its state is final", () => {
  expect([...LIVE_STATES, ...FINAL_STATES].sort()).toEqual([...RunState.options].sort());
});
