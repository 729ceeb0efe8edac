import type { Query, Queryable } from "@rigmark/db";
import { describe, expect, it } from "vitest";
import { type Ctx, cancelRun, getRun, leaseAttempt, recordHeartbeat, sweepAttempts } from "../src/index";
import { beginAttempt, leasedRun, leaseRequest, useWorld } from "./world";

const world = useWorld();

/** `ctx`, but another process does `other` once, right after the first statement. */
function interrupted(ctx: Ctx, other: () => Promise<unknown>): Ctx {
  let due = true;
  const after = (on: Queryable): Queryable => ({
    query: (async (query: Query) => {
      const result = await on.query(query);
      if (due) {
        due = false;
        await other();
      }
      return result;
    }) as Queryable["query"],
  });
  const tx: Ctx["db"]["tx"] = (use) => ctx.db.tx((on) => use(after(on)));
  return { ...ctx, db: { ...ctx.db, ...after(ctx.db), tx } };
}

async function leased() {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const { runId, lease } = await leasedRun(ada, agent);
  const of = { workspace: ada.workspace, runId };
  return {
    lease,
    agent,
    get: () => getRun({ ctx: ada.ctx, input: of }),
    cancel: (ctx = ada.ctx) => cancelRun({ ctx, input: of }),
    start: (ctx = agent.ctx) => beginAttempt(ctx, lease),
    sweep: (ctx = world.system) => sweepAttempts({ ctx }),
    beat: () =>
      recordHeartbeat({
        ctx: agent.ctx,
        input: { attemptId: lease.attempt_id, attemptNo: lease.attempt_no, state: "preparing", t_us: 0 },
      }),
  };
}

describe("a start that meets the end of its lease", () => {
  it("keeps its attempt when it was there before the sweep gave up", async () => {
    const { get, start, sweep, beat } = await leased();
    world.clock.advance(61);
    await sweep(interrupted(world.system, () => start()));
    expect(await get()).toMatchObject({ state: "preparing" });
    expect(await beat()).toMatchObject({ command: "none" });
  });

  it("is refused when the sweep was first, and the run is leased again", async () => {
    const { agent, lease, get, start, sweep } = await leased();
    world.clock.advance(61);
    const started = start(interrupted(agent.ctx, () => sweep()));
    await expect(started).rejects.toMatchObject({ code: "superseded" });
    expect(await get()).toMatchObject({ state: "queued" });
    const again = await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
    expect(again.lease).toMatchObject({ run_id: lease.run_id, attempt_no: 2 });
  });
});

describe("a start that meets a person who cancels", () => {
  it("is refused when the person was first", async () => {
    const { agent, get, start, cancel } = await leased();
    const started = start(interrupted(agent.ctx, () => cancel()));
    await expect(started).rejects.toMatchObject({ code: "superseded" });
    expect(await get()).toMatchObject({ state: "cancelled", final: true });
  });
});
