import { sql } from "@rigmark/db";
import type { Lease } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { cancelRun, findAlerts, getRun, recordHeartbeat, settleAttempts, sweepAttempts } from "../src/index";
import { FACTS, packChunks, SCENARIO, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, finishedRun, leasedRun, sendChunk, useWorld } from "./world";

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

describe("an attempt whose process died between its end and its results", () => {
  const settle = () => settleAttempts({ ctx: world.system });

  async function interrupted() {
    const ada = await world.person("Ada");
    const runId = await finishedRun(ada, await world.host(ada));
    const { db } = world.domain;
    await db.query(sql`DELETE FROM entry_result`);
    await db.query(sql`DELETE FROM alert_check`);
    await db.query(sql`UPDATE attempt SET results_at = NULL WHERE run_id = ${runId}`);
    await db.query(sql`UPDATE run SET headline = NULL WHERE run_id = ${runId}`);
    return {
      runId,
      headline: async () => (await db.prisma.run.findFirstOrThrow({ where: { run_id: runId } })).headline,
    };
  }

  it("gets them after a while, with what alerts look at", async () => {
    const { runId, headline } = await interrupted();
    // Whoever ended it may be at it.
    expect(await settle()).toBe(0);
    world.clock.advance(31);
    expect(await settle()).toBe(1);
    expect(await headline()).toContain("epoll");
    const { db } = world.domain;
    expect(await db.prisma.alertCheck.count({ where: { run_id: runId } })).toBe(1);
    expect(await db.prisma.entryResult.count()).toBe(2);
    expect(await settle()).toBe(0);
    await findAlerts({ ctx: world.system });
  });

  it("is not tried all the time where it cannot be summed up", async () => {
    const { runId, headline } = await interrupted();
    const { db } = world.domain;
    await db.query(sql`UPDATE trial SET result = '{"latency": 1}' WHERE attempt_id IN (
      SELECT attempt_id FROM attempt WHERE run_id = ${runId})`);
    world.clock.advance(31);
    expect([await settle(), await settle()]).toEqual([1, 0]);
    expect(await headline()).toBeNull();
    world.clock.advance(3600);
    expect(await settle()).toBe(1);
    world.clock.advance(7 * 86_400);
    expect(await settle()).toBe(0);
  });
});
