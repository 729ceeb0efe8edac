import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
  cancelRun,
  createRun,
  getRun,
  leaseAttempt,
  putCatalogue,
  recordHeartbeat,
  reprojectAttempt,
  revokeHost,
  sweepAttempts,
} from "../src/index";
import { FACTS, packChunk, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, leaseRequest, sendChunk, useWorld } from "./world";

const world = useWorld();
const refused = (code: string) => expect.objectContaining({ code });

async function setUp() {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const create = async () =>
    (
      await createRun({
        ctx: ada.ctx,
        input: { workspace: ada.workspace, hostId: agent.hostId, spec: SPEC },
      })
    ).run_id;
  const state = async (runId: string) =>
    (await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } })).state;
  const beat = (
    lease: { attempt_id: string; attempt_no: number },
    to: "preparing" | "measuring" | "uploading" = "measuring",
  ) =>
    recordHeartbeat({
      ctx: agent.ctx,
      input: { attemptId: lease.attempt_id, attemptNo: lease.attempt_no, state: to, t_us: 0 },
    });
  const cancel = (runId: string) => cancelRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
  return { ada, agent, create, state, beat, cancel, sweep: () => sweepAttempts({ ctx: world.system }) };
}

describe("a lease", () => {
  it("is the same for the same request, and the oldest run first", async () => {
    const { agent, create } = await setUp();
    const [first] = [await create(), await create()];
    const request = leaseRequest();
    const a = await leaseAttempt({ ctx: agent.ctx, input: request });
    const b = await leaseAttempt({ ctx: agent.ctx, input: request });
    expect(a.lease?.run_id).toBe(first);
    expect(b).toEqual(a);
  });

  it("goes to one of many that ask at once", async () => {
    const { agent, create } = await setUp();
    await create();
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => leaseAttempt({ ctx: agent.ctx, input: leaseRequest() })),
    );
    // A later request says that the agent is idle, so it takes the lease over; only the newest may start.
    const leases = responses.flatMap((a) => (a.lease ? [a.lease] : []));
    const started = await Promise.allSettled(leases.map((l) => beginAttempt(agent.ctx, l)));
    expect(started.filter((s) => s.status === "fulfilled")).toHaveLength(1);
  });

  it("that was never started goes back to the queue, and its attempt is superseded", async () => {
    const { ada, agent, state, sweep } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    world.clock.advance(61);
    await sweep();
    expect(await state(runId)).toBe("queued");
    await expect(beginAttempt(agent.ctx, lease)).rejects.toEqual(refused("superseded"));
    const again = await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
    expect(again.lease).toMatchObject({ run_id: runId, attempt_no: 2 });
    await expect(beginAttempt(agent.ctx, lease)).rejects.toEqual(refused("superseded"));
    await expect(
      sendChunk(
        agent.ctx,
        lease,
        packChunks([], 1)[0] ?? {
          seq: 0,
          sha256: "0".repeat(64),
          records: 1,
          bytes: 1,
          body: Buffer.alloc(1),
        },
      ),
    ).rejects.toEqual(refused("superseded"));
  });

  it("is not taken from a host by the held poll of a process that is gone", async () => {
    const { ada, agent, create, state, beat } = await setUp();
    // While the old process's poll is held, its successor asks, gets a run and begins it.
    let begun: Awaited<ReturnType<typeof leasedRun>> | undefined;
    const until = async () => {
      if (begun) throw new Error("the poll is held on");
      begun = await leasedRun(ada, agent);
      await beginAttempt(agent.ctx, begun.lease);
      await create();
      return true;
    };
    const held = {
      ...agent.ctx,
      config: { ...agent.ctx.config, longPollMs: 60_000 },
      bus: { ...agent.ctx.bus, wait: () => ({ until, stop: () => undefined }) },
    };
    expect((await leaseAttempt({ ctx: held, input: leaseRequest() })).lease).toBeNull();
    if (!begun) throw new Error("the poll was not held");
    expect(await state(begun.runId)).toBe("preparing");
    expect((await beat(begun.lease)).command).toBe("none");
  });

  it("is waited for by one poll a host: an older one ends when the next comes", async () => {
    const { agent, create } = await setUp();
    let second: ReturnType<typeof leaseAttempt> | undefined;
    const until = async (): Promise<true> => {
      second ??= create().then(() => leaseAttempt({ ctx: agent.ctx, input: leaseRequest() }));
      await second;
      return true;
    };
    const held = {
      ...agent.ctx,
      config: { ...agent.ctx.config, longPollMs: 60_000 },
      bus: { ...agent.ctx.bus, wait: () => ({ until, stop: () => undefined }) },
    };
    expect((await leaseAttempt({ ctx: held, input: leaseRequest() })).lease).toBeNull();
    expect((await second)?.lease).not.toBeNull();
  });

  it("asks for the catalogue until it has the one that the agent names", async () => {
    const { agent } = await setUp();
    expect((await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() })).catalogue_wanted).toBe(false);
    const newer = { ...leaseRequest(), catalogue_digest: "ef".repeat(32) };
    expect((await leaseAttempt({ ctx: agent.ctx, input: newer })).catalogue_wanted).toBe(true);
    expect((await leaseAttempt({ ctx: agent.ctx, input: newer })).catalogue_wanted).toBe(true);
    const { CATALOGUE } = await import("../src/testing/index");
    await putCatalogue({ ctx: agent.ctx, input: CATALOGUE });
    expect((await leaseAttempt({ ctx: agent.ctx, input: newer })).catalogue_wanted).toBe(false);
  });
});

describe("an attempt", () => {
  it("moves its run forward only", async () => {
    const { ada, agent, state, beat } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    expect(await state(runId)).toBe("leased");
    await beginAttempt(agent.ctx, lease);
    await beginAttempt(agent.ctx, lease);
    expect(await state(runId)).toBe("preparing");
    await beat(lease, "measuring");
    await beat(lease, "preparing");
    expect(await state(runId)).toBe("measuring");
    await beat(lease, "uploading");
    expect(await state(runId)).toBe("uploading");
    expect(await endAttempt(agent.ctx, lease, [], "failed")).toEqual({ state: "failed" });
    await expect(beat(lease)).rejects.toEqual(refused("state"));
    await expect(beginAttempt(agent.ctx, lease)).rejects.toEqual(refused("state"));
  });

  it("is cancelled: at once until it has started, then with a heartbeat", async () => {
    const { ada, agent, create, state, beat, cancel } = await setUp();
    const queued = await create();
    expect(await cancel(queued)).toEqual({ state: "cancelled" });
    const live = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, live.lease);
    expect(await cancel(live.runId)).toEqual({ state: "cancelling" });
    expect(await cancel(live.runId)).toEqual({ state: "cancelling" });
    expect((await beat(live.lease)).command).toBe("cancel");
    expect(await state(live.runId)).toBe("cancelling");
    expect(await endAttempt(agent.ctx, live.lease, [], "cancelled")).toEqual({ state: "cancelled" });
    expect(await cancel(live.runId)).toEqual({ state: "cancelled" });
    const leased = await leasedRun(ada, agent);
    expect(await cancel(leased.runId)).toEqual({ state: "cancelled" });
    expect(
      await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId: leased.runId } }),
    ).toMatchObject({
      final: true,
      timings: { finished_at: expect.any(String) },
    });
    await expect(beginAttempt(agent.ctx, leased.lease)).rejects.toEqual(refused("superseded"));
    await expect(beat(leased.lease)).rejects.toEqual(refused("superseded"));
    await create();
    expect((await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() })).lease).not.toBeNull();
  });

  it("that fell silent is unreachable, then incomplete, and its late data still complete it", async () => {
    const { ada, agent, state, beat, sweep } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }), 40);
    const [first, ...rest] = chunks;
    if (!first) throw new Error("no chunks");
    await sendChunk(agent.ctx, lease, first);
    const get = () => getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    world.clock.advance(11);
    await sweep();
    expect(await get()).toMatchObject({ state: "preparing", unreachable: true });
    await beat(lease);
    expect(await get()).toMatchObject({ state: "measuring", unreachable: false });
    world.clock.advance(4000);
    await sweep();
    expect(await get()).toMatchObject({
      state: "incomplete",
      missing: [
        { stream: "journal", from_seq: 1, to_seq: null },
        { stream: "raw", from_seq: 0, to_seq: null },
      ],
    });
    await expect(
      leaseAttempt({ ctx: (await setUp()).agent.ctx, input: leaseRequest() }),
    ).resolves.toMatchObject({ lease: null });
    expect((await beat(lease, "uploading")).next_seq).toEqual({ journal: 1, raw: 0 });
    for (const chunk of rest) await sendChunk(agent.ctx, lease, chunk);
    expect(await endAttempt(agent.ctx, lease, chunks)).toEqual({ state: "succeeded" });
    expect(await get()).toMatchObject({ state: "succeeded", missing: [], error: null });
    expect(await state(runId)).toBe("succeeded");
  });

  it("that outlives its deadline is told to stop, and has timed out", async () => {
    const { ada, agent, state, beat, sweep } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const [first] = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }), 40);
    if (first) await sendChunk(agent.ctx, lease, first);
    world.clock.advance(4000);
    await beat(lease);
    await sweep();
    expect(await state(runId)).toBe("cancelling");
    expect((await beat(lease)).command).toBe("cancel");
    expect(await endAttempt(agent.ctx, lease, first ? [first] : [], "cancelled")).toEqual({
      state: "timed_out",
    });
  });

  it("that only delivers past its deadline is not told to stop, and is whole in the end", async () => {
    const { ada, agent, beat, sweep } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }), 40);
    const late = chunks.slice(-1);
    for (const chunk of chunks.slice(0, -1)) await sendChunk(agent.ctx, lease, chunk);
    world.clock.advance(4000);
    await beat(lease, "uploading");
    await sweep();
    expect(await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } })).toMatchObject({
      state: "incomplete",
      cancel_requested: false,
      error: { code: "deadline", message: expect.stringContaining("still delivering") },
    });
    expect((await beat(lease, "uploading")).command).toBe("none");
    for (const chunk of late) await sendChunk(agent.ctx, lease, chunk);
    expect(await endAttempt(agent.ctx, lease, chunks)).toEqual({ state: "succeeded" });
  });

  it("that builds for long has time for it, until it is to stop", async () => {
    const { ada, agent, state, beat, sweep } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const records = writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} });
    const firstBuild = records.findIndex((r) => r.kind === "phase" && r.data.phase === "build");
    const planned = packChunk(0, records.slice(0, firstBuild));
    const [begins, says, ends] = [0, 1, 2].map((i) =>
      packChunk(i + 1, records.slice(firstBuild + i, firstBuild + i + 1)),
    );
    if (!begins || !says || !ends) throw new Error("the journal is too short for this test");
    const deadline = async () =>
      (await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } })).timings.deadline_at ?? "";
    const wait = async (seconds: number) => {
      world.clock.advance(seconds);
      await beat(lease, "preparing");
      await sweep();
    };
    await sendChunk(agent.ctx, lease, planned);
    const ofPlan = await deadline();
    await sendChunk(agent.ctx, lease, begins);
    // The limit of a build's step in the agent.
    expect(Date.parse(await deadline()) - Date.parse(ofPlan)).toBeGreaterThan(1_799_000);
    // Past the deadline of the plan, with the build still going on.
    await wait(1700);
    await sendChunk(agent.ctx, lease, says);
    expect(await state(runId)).toBe("preparing");

    const projected = await deadline();
    const { workspaceId } = agent.ctx.actor as { workspaceId: string };
    await reprojectAttempt({ ctx: world.system, input: { workspaceId, attemptId: lease.attempt_id } });
    expect(await deadline()).toBe(projected);

    await wait(4000);
    expect(await state(runId)).toBe("cancelling");
    const last = await deadline();
    await sendChunk(agent.ctx, lease, ends);
    expect(await deadline()).toBe(last);
  });

  it("whose agent asks for other work is incomplete, and the host goes on", async () => {
    const { ada, agent, create, state } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const next = await create();
    const other = await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
    expect(other.lease?.run_id).toBe(next);
    expect(await state(runId)).toBe("incomplete");
    expect(await endAttempt(agent.ctx, lease, [], "cancelled")).toEqual({ state: "cancelled" });
  });

  it("whose data were refused says why, also after its agent has gone on", async () => {
    const { ada, agent, create } = await setUp();
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const bad = packChunks([{ v: 1, seq: 0, t_us: 0, kind: "log", data: {} } as never], 1);
    await expect(sendChunk(agent.ctx, lease, bad[0] as (typeof bad)[number])).rejects.toEqual(
      refused("invalid"),
    );
    await create();
    await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
    const seen = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    expect(seen).toMatchObject({ state: "incomplete", error: { code: "data-refused" } });
    expect(seen.error?.message).toMatch(/^Chunk 0 of the journal was refused: Line 1/);
  });

  it("ends when its host is revoked, and nothing of other hosts does", async () => {
    const { ada, agent, state } = await setUp();
    const second = await world.host(ada);
    const mine = await leasedRun(ada, agent);
    const theirs = await leasedRun(ada, second);
    await revokeHost({ ctx: ada.ctx, input: { workspace: ada.workspace, hostId: agent.hostId } });
    expect(await state(mine.runId)).toBe("cancelled");
    expect(await state(theirs.runId)).toBe("leased");
    const gone = { workspace: ada.workspace, hostId: agent.hostId, spec: SPEC };
    await expect(createRun({ ctx: ada.ctx, input: gone })).rejects.toEqual(refused("state"));
    // A request that was let in before: as a poll that was held meanwhile.
    await expect(leaseAttempt({ ctx: agent.ctx, input: leaseRequest() })).rejects.toEqual(refused("revoked"));
  });

  it("is nobody else's", async () => {
    const { ada, agent } = await setUp();
    const { lease } = await leasedRun(ada, agent);
    const neighbor = await world.host(ada);
    const stranger = await world.host(await world.person("Eve"));
    for (const other of [neighbor, stranger]) {
      await expect(beginAttempt(other.ctx, lease)).rejects.toEqual(refused("not_found"));
    }
    await expect(beginAttempt(ada.ctx, lease)).rejects.toEqual(refused("unauthenticated"));
    await expect(beginAttempt(agent.ctx, { ...lease, attempt_id: randomUUID() })).rejects.toEqual(
      refused("not_found"),
    );
  });
});

describe("a run that the host cannot do", () => {
  it.each([
    [
      "an unknown server",
      { entries: [{ label: "x", server: "apache", options: {} }], baseline: null },
      "no server “apache”",
    ],
    [
      "a server that does not work there",
      { entries: [{ label: "x", server: "io-uring", options: {} }], baseline: null },
      "switched off",
    ],
    [
      "a server without the workload",
      { entries: [{ label: "x", server: "echo", options: {} }], baseline: null },
      "claims none of the workloads of this run (static)",
    ],
    ["an unknown scenario", { scenarios: ["nothing"] }, "no scenario “nothing”"],
    ["a scenario whose tool is missing", { scenarios: ["static-1k-k6"] }, "k6 is not installed"],
    [
      "an option out of range",
      { entries: [{ label: "x", server: "epoll", options: { workers: 99 } }], baseline: null },
      "from 1 to 64, not 99",
    ],
    [
      "an unknown option",
      { entries: [{ label: "x", server: "epoll", options: { nice: 1 } }], baseline: null },
      "no option “nice”",
    ],
  ])("is refused with the reason: %s", async (_, change, words) => {
    const { ada, agent } = await setUp();
    const spec = { ...SPEC, ...change };
    const asked = createRun({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, hostId: agent.hostId, spec },
    });
    await expect(asked).rejects.toMatchObject({ code: "invalid", message: expect.stringContaining(words) });
  });
});
