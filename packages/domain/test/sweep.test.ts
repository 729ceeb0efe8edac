import type { Lease } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { cancelRun, getRun, recordHeartbeat, sweepAttempts } from "../src/index";
import { FACTS, packChunks, SCENARIO, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

/** A run that has begun, with a deadline by its plan: long past after an hour. */
async function begun() {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const { runId, lease } = await leasedRun(ada, agent);
  await beginAttempt(agent.ctx, lease);
  const [beginning] = packChunks(upToPlan(lease), 3);
  if (!beginning) throw new Error("no chunk");
  await sendChunk(agent.ctx, lease, beginning);
  const input = { workspace: ada.workspace, runId };
  return {
    see: () => getRun({ ctx: ada.ctx, input }),
    cancel: () => cancelRun({ ctx: ada.ctx, input }),
    beat: () =>
      recordHeartbeat({
        ctx: agent.ctx,
        input: { attemptId: lease.attempt_id, attemptNo: lease.attempt_no, state: "measuring", t_us: 0 },
      }),
    stop: () => endAttempt(agent.ctx, lease, [beginning], "cancelled"),
    sweepAfterAnHour: async (beat?: () => Promise<unknown>) => {
      world.clock.advance(3600);
      await beat?.();
      await sweepAttempts({ ctx: world.system });
    },
  };
}

const upToPlan = (lease: Lease) =>
  writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }).slice(0, 3);

describe("a run past its deadline", () => {
  it("is incomplete where its host was told to stop and then fell silent: nobody cancelled it", async () => {
    const { see, beat, stop, sweepAfterAnHour } = await begun();
    await sweepAfterAnHour(beat);
    expect(await see()).toMatchObject({ state: "cancelling", final: false });
    await sweepAfterAnHour();
    expect(await see()).toMatchObject({
      state: "incomplete",
      error: {
        code: "deadline",
        message:
          "The host was not heard from before the deadline; what it sends later still completes this run.",
      },
    });
    expect(await stop()).toEqual({ state: "timed_out" });
  });

  it("says of a host that is heard of that it has not finished stopping", async () => {
    const { see, beat, stop, sweepAfterAnHour } = await begun();
    await sweepAfterAnHour(beat);
    await sweepAfterAnHour(beat);
    expect(await see()).toMatchObject({
      state: "incomplete",
      error: {
        code: "deadline",
        message:
          "The host was told to stop and has not finished stopping; what it sends later still completes this run.",
      },
    });
    expect(await stop()).toEqual({ state: "timed_out" });
  });

  it("is cancelled where a person did that and its host is silent", async () => {
    const { see, cancel, sweepAfterAnHour } = await begun();
    expect(await cancel()).toEqual({ state: "cancelling" });
    await sweepAfterAnHour();
    expect(await see()).toMatchObject({ state: "cancelled", error: null });
  });
});
