import { randomUUID } from "node:crypto";
import { sql } from "@rigmark/db";
import type { JournalRecord, Lease, RawRecord } from "@rigmark/protocol";
import type { PublicationHead } from "@rigmark/results/public";
import { describe, expect, it } from "vitest";
import {
  createPublication,
  createReport,
  createRun,
  type DomainError,
  deleteRuns,
  findReportBySlug,
  finishPublication,
  getRun,
  listHosts,
  listRuns,
  putPublicationChunk,
  renderReport,
  restoreRuns,
  sweepAttempts,
} from "../src/index";
import {
  FACTS,
  packChunks,
  SCENARIO,
  SPEC,
  type TestChunk,
  totalsOf,
  writeJournal,
} from "../src/testing/index";
import { type Person, useWorld } from "./world";

const world = useWorld();

/** What a result file has: a run that no host of a workspace leased. */
function localRun(o: { facts?: typeof FACTS; ended?: boolean } = {}) {
  const lease: Lease = {
    run_id: randomUUID(),
    attempt_id: randomUUID(),
    attempt_no: 1,
    spec: { ...SPEC, repeats: 2 },
    lease_s: 60,
    heartbeat_s: 2,
    control_plane_same_host: false,
  };
  const facts = o.facts ?? FACTS;
  let records = writeJournal(lease, {
    facts,
    scenarios: [SCENARIO],
    rates: { nginx: 10_000, epoll: 14_000 },
  });
  if (o.ended === false) records = records.filter((r) => r.kind !== "result");
  const begin = records[0] as Extract<JournalRecord, { kind: "begin" }>;
  const raw: RawRecord = {
    v: 1,
    seq: 0,
    t_us: 1,
    kind: "raw",
    data: { trial_id: lease.run_id, name: "ab.stdout", part: 0, text: "ab\n", truncated: false },
  };
  const head: PublicationHead = { begin: begin.data, facts, title: null };
  return { runId: lease.run_id, head, journal: packChunks(records, 20), raw: packChunks([raw], 1) };
}
type LocalRun = ReturnType<typeof localRun>;

const open = (who: Person, run: LocalRun, head: Partial<PublicationHead> = {}) =>
  createPublication({ ctx: who.ctx, input: { workspace: who.workspace, ...run.head, ...head } });
const send = (who: Person, run: LocalRun, chunk: TestChunk, stream: "journal" | "raw" = "journal") =>
  putPublicationChunk({
    ctx: who.ctx,
    input: { workspace: who.workspace, runId: run.runId, stream, ...chunk },
  });
const finish = (who: Person, run: LocalRun, partial = false) =>
  finishPublication({
    ctx: who.ctx,
    input: {
      workspace: who.workspace,
      runId: run.runId,
      partial,
      streams: { journal: totalsOf(run.journal), raw: totalsOf(run.raw) },
    },
  });
async function publish(who: Person, run: LocalRun, partial = false) {
  await open(who, run);
  for (const chunk of run.journal) await send(who, run, chunk);
  for (const chunk of run.raw) await send(who, run, chunk, "raw");
  return finish(who, run, partial);
}
const seen = (who: Person, run: LocalRun) =>
  getRun({ ctx: who.ctx, input: { workspace: who.workspace, runId: run.runId } });
const refusal = (work: Promise<unknown>): Promise<DomainError> =>
  work.then(
    () => {
      throw new Error("it was taken");
    },
    (error: DomainError) => error,
  );

describe("a published file", () => {
  it("waits where the workspace's room is used up, and what was stored is acknowledged again", async () => {
    const ada = await world.person("Ada");
    const run = localRun();
    const [first, second] = run.journal;
    if (!first || !second) throw new Error("too few chunks");
    await open(ada, run);
    const taken = await send(ada, run, first);
    const { quotas } = world.system.config;
    const before = quotas.storedBytes;
    Object.assign(quotas, { storedBytes: 1 });
    try {
      expect(await send(ada, run, first)).toEqual(taken);
      expect((await refusal(send(ada, run, second))).message).toContain("QUOTA_STORED_GIB");
    } finally {
      Object.assign(quotas, { storedBytes: before });
    }
    await send(ada, run, second);
  });

  it("is a run of the workspace, marked with who published it, also in its report", async () => {
    const ada = await world.person("Ada");
    const run = localRun();
    const done = await publish(ada, run);
    expect(done).toMatchObject({ id: run.runId, state: "succeeded", finished: true, published_by: "Ada" });
    expect(done.url).toBe(`https://rigmark.example/w/${ada.workspace}/runs/${run.runId}`);
    const view = await seen(ada, run);
    expect(view).toMatchObject({ state: "succeeded", published_by: "Ada", missing: [], error: null });
    expect(view.trials.map((t) => t.state)).toEqual(["valid", "valid", "valid", "valid"]);
    expect(view.host).toMatchObject({ name: FACTS.hostname, status: "published", online: false });
    // It took place when its records say.
    const { started_at, finished_at } = view.timings;
    const took = Date.parse(finished_at ?? "") - Date.parse(started_at ?? "");
    expect(took).toBeGreaterThan(0);
    expect(Date.parse(finished_at ?? "")).toBeLessThanOrEqual(Date.now());
    const page = await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 10 } });
    expect(page.runs.map((r) => [r.run_id, r.published_by])).toEqual([[run.runId, "Ada"]]);
    const { slug } = await createReport({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, runId: run.runId, showHostName: false },
    });
    const { snapshot } = await findReportBySlug({ ctx: world.anonymous, input: { slug } });
    expect(snapshot.runs[0]?.published_by).toBe("Ada");
    const markdown = await renderReport({ ctx: world.anonymous, input: { slug, as: "md" } });
    expect(markdown).toContain("Published by Ada from a file, not queued here.");
  });

  it("is there once, however often and in however many pieces it is sent", async () => {
    const ada = await world.person("Ada");
    const run = localRun();
    const [first, second, ...rest] = run.journal;
    if (!first || !second) throw new Error("too few chunks");
    await open(ada, run);
    await send(ada, run, first);
    await send(ada, run, first);
    const again = await open(ada, run);
    expect(again.streams.journal).toEqual({ next_seq: 1, digest: totalsOf([first]).digest });
    expect((await refusal(finish(ada, run))).code).toBe("chunks_missing");
    const gap = await refusal(send(ada, run, rest[0] as TestChunk));
    expect([gap.code, gap.detail]).toEqual(["chunk_gap", { next_seq: 1 }]);
    for (const chunk of [second, ...rest]) await send(ada, run, chunk);
    for (const chunk of run.raw) await send(ada, run, chunk, "raw");
    expect((await Promise.all([finish(ada, run), finish(ada, run)])).map((p) => p.state)).toEqual([
      "succeeded",
      "succeeded",
    ]);
    expect(await open(ada, run)).toMatchObject({ finished: true, state: "succeeded" });
    const page = await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 10 } });
    expect(page.runs).toHaveLength(1);
  });

  it("is refused where its run was deleted, until that is restored", async () => {
    const ada = await world.person("Ada");
    const run = localRun();
    await publish(ada, run);
    const input = { workspace: ada.workspace, runIds: [run.runId] };
    await deleteRuns({ ctx: ada.ctx, input });
    const tried = [open(ada, run), send(ada, run, run.journal[0] as TestChunk), finish(ada, run)];
    for (const refused of await Promise.all(tried.map((work) => refusal(work))))
      expect(refused).toMatchObject({
        code: "gone",
        message: expect.stringContaining("It can be restored until"),
      });
    await restoreRuns({ ctx: ada.ctx, input });
    expect(await open(ada, run)).toMatchObject({ finished: true, state: "succeeded" });
  });

  it("is begun once by two who publish it at the same time", async () => {
    const ada = await world.person("Ada");
    const run = localRun();
    const made = await Promise.all([open(ada, run), open(ada, run), open(ada, run)]);
    expect(new Set(made.map((p) => p.host.id)).size).toBe(1);
  });

  it("without its last record is refused, and taken as incomplete if that is meant", async () => {
    const ada = await world.person("Ada");
    const run = localRun({ ended: false });
    const refused = await refusal(publish(ada, run));
    expect([refused.code, refused.message]).toEqual(["state", expect.stringContaining("--partial")]);
    expect(await finish(ada, run, true)).toMatchObject({ state: "incomplete", finished: true });
    const view = await seen(ada, run);
    expect(view).toMatchObject({ state: "incomplete", missing: [], error: { code: "half-file" } });
    expect(view.summary).not.toBeNull();
  });

  it("that stops arriving is incomplete, and goes on later", async () => {
    const ada = await world.person("Ada");
    const run = localRun();
    const [first, ...rest] = run.journal;
    await open(ada, run);
    await send(ada, run, first as TestChunk);
    world.clock.advance(600);
    await sweepAttempts({ ctx: world.system });
    expect((await seen(ada, run)).state).toBe("uploading");
    world.clock.advance(600);
    await sweepAttempts({ ctx: world.system });
    expect(await seen(ada, run)).toMatchObject({
      state: "incomplete",
      error: { code: "publication-stopped" },
    });
    expect(await open(ada, run)).toMatchObject({ state: "uploading", finished: false });
    for (const chunk of rest) await send(ada, run, chunk);
    for (const chunk of run.raw) await send(ada, run, chunk, "raw");
    expect(await finish(ada, run)).toMatchObject({ state: "succeeded" });
    expect((await seen(ada, run)).error).toBeNull();
  });
});

describe("what a published file cannot do", () => {
  it("touch a run of another workspace, or tell that there is one", async () => {
    const [ada, eve] = [await world.person("Ada"), await world.person("Eve")];
    const run = localRun();
    await publish(ada, run);
    const before = await seen(ada, run);
    // The same file in a workspace of one's own is a run of that workspace.
    expect(await publish(eve, run)).toMatchObject({ published_by: "Eve", state: "succeeded" });
    expect(await seen(ada, run)).toEqual(before);
    const foreign = { ...eve, workspace: ada.workspace };
    for (const work of [
      () => open(foreign, run),
      () => send(foreign, run, run.journal[0] as TestChunk),
      () => finish(foreign, run),
    ])
      expect((await refusal(work())).code).toBe("not_found");
    const unknown = localRun();
    expect((await refusal(finish(ada, unknown))).code).toBe("not_found");
  });

  it("take the place of a run that was queued, or of another file's", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { run_id } = await createRun({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, hostId: agent.hostId, spec: SPEC },
    });
    const run = localRun();
    const taken = await refusal(open(ada, run, { begin: { ...run.head.begin, run_id } }));
    expect([taken.code, (await seen(ada, { ...run, runId: run_id })).state]).toEqual(["state", "queued"]);
    await publish(ada, run);
    const other = localRun();
    const begin = { ...other.head.begin, run_id: run.runId };
    expect((await refusal(open(ada, other, { begin }))).code).toBe("state");
    // A run of its own that claims another one's attempt.
    const attempt = { ...other.head.begin, attempt_id: run.head.begin.attempt_id };
    expect((await refusal(open(ada, other, { begin: attempt }))).code).toBe("state");
    expect((await refusal(finish(ada, other))).code).toBe("not_found");
  });

  it("say more in its chunks than a host may", async () => {
    const ada = await world.person("Ada");
    const [run, other] = [localRun(), localRun()];
    await open(ada, run);
    const wrong = await refusal(send(ada, run, other.journal[0] as TestChunk));
    expect([wrong.code, wrong.message]).toEqual(["invalid", expect.stringContaining("another run")]);
    expect((await seen(ada, run)).error?.code).toBe("data-refused");
  });

  it("be queued on, be leased, or count as a host that is offline", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const run = localRun({ facts: { ...FACTS, hostname: "a-laptop" } });
    const { host } = await publish(ada, run);
    // One a machine, whatever is published from it.
    expect((await publish(ada, localRun({ facts: { ...FACTS, hostname: "a-laptop" } }))).host).toEqual(host);
    const hosts = await listHosts({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    expect(hosts.map((h) => [h.host_id, h.status])).toEqual([
      [agent.hostId, "online"],
      [host.id, "published"],
    ]);
    const queued = createRun({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, hostId: host.id, spec: SPEC },
    });
    expect((await refusal(queued)).message).toContain("published files only");
    const live = await world.domain.db.query(sql`SELECT 1 FROM attempt WHERE live AND host_id = ${host.id}`);
    expect(live.rowCount).toBe(0);
  });

  it("be published by somebody who is not signed in, or by an agent", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    for (const ctx of [world.anonymous, agent.ctx]) {
      const refused = await refusal(open({ ...ada, ctx }, localRun()));
      expect(refused.code).toBe("unauthenticated");
    }
  });
});
