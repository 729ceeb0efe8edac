import { beforeEach, describe, expect, it } from "vitest";
import {
  createEnrollment,
  createReport,
  createRun,
  enrollHost,
  getRetention,
  getRun,
  leaseAttempt,
  revokeReport,
  watchEnrollment,
  watchRun,
} from "../src/index";
import { QUOTAS } from "../src/internal/quota";
import { FACTS, makeAgentKey, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import {
  beginAttempt,
  endAttempt,
  finishedRun,
  leasedRun,
  leaseRequest,
  type Person,
  sendChunk,
  useWorld,
} from "./world";

const world = useWorld();

const allow = (quotas: Partial<typeof QUOTAS>) =>
  Object.assign(world.system.config.quotas, { ...QUOTAS, ...quotas });
beforeEach(() => allow({}));

const queue = (ada: Person, hostId: string) =>
  createRun({ ctx: ada.ctx, input: { workspace: ada.workspace, hostId, spec: SPEC } });

describe("what a workspace may have at most", () => {
  it("is so many hosts: also a key that was made before does not add one more", async () => {
    const ada = await world.person("Ada");
    const enrollment = () => createEnrollment({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    const { key } = await enrollment();
    await world.host(ada);
    allow({ hosts: 1 });
    await expect(enrollment()).rejects.toThrow("its limit of 1 host;");
    const input = { key, public_key: makeAgentKey().publicKey, hostname: "attic", agent_version: "0.1.0" };
    await expect(enrollHost({ ctx: world.anonymous, input })).rejects.toThrow("QUOTA_HOSTS");
    // The key was not used up by that.
    allow({ hosts: 2 });
    await enrollHost({ ctx: world.anonymous, input });
  });

  it("is so many waiting runs", async () => {
    const ada = await world.person("Ada");
    const { hostId } = await world.host(ada);
    allow({ queuedRuns: 1 });
    await queue(ada, hostId);
    await expect(queue(ada, hostId)).rejects.toThrow("its limit of 1 run in the queue;");
  });

  it("is so much that is stored, and a run that has begun ends well", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    await finishedRun(ada, agent);
    const { runId, lease } = await leasedRun(ada, agent, SPEC);
    allow({ storedBytes: 1 });
    await expect(queue(ada, agent.hostId)).rejects.toThrow("QUOTA_STORED_GIB");
    await beginAttempt(agent.ctx, lease);
    const rates = { nginx: 1_000, epoll: 2_000 };
    const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates }), 50);
    for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
    await endAttempt(agent.ctx, lease, chunks);
    const run = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    expect(run.state).toBe("succeeded");
  });

  it("is so much that is stored, reports included", async () => {
    const ada = await world.person("Ada");
    const runId = await finishedRun(ada, await world.host(ada));
    const { workspace } = ada;
    const stored = async () =>
      (await getRetention({ ctx: ada.ctx, input: { workspace, days: null } })).stored_bytes;
    const report = () => createReport({ ctx: ada.ctx, input: { workspace, runId, showHostName: false } });
    const before = await stored();
    const { report_id: reportId } = await report();
    expect(await stored()).toBeGreaterThan(before);
    await revokeReport({ ctx: ada.ctx, input: { workspace, reportId } });
    expect(await stored()).toBe(before);
    allow({ storedBytes: 1 });
    await expect(report()).rejects.toThrow("QUOTA_STORED_GIB");
  });

  it("is so much that is stored when a run begins, whatever there was when it was queued", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    await finishedRun(ada, agent);
    const { run_id: runId } = await queue(ada, agent.hostId);
    allow({ storedBytes: 1 });
    const { lease } = await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
    expect(lease).toBeNull();
    const run = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    expect(run.state).toBe("cancelled");
    expect(run.error).toMatchObject({
      code: "no-room",
      message: expect.stringContaining("QUOTA_STORED_GIB"),
    });
  });

  it("is so many live pages, and a closed one makes room", async () => {
    const ada = await world.person("Ada");
    const { hostId } = await world.host(ada);
    const { run_id: runId } = await queue(ada, hostId);
    allow({ liveStreams: 1 });
    const watch = () => watchRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    const first = watch();
    await first.next();
    await expect(watch().next()).rejects.toThrow("QUOTA_LIVE_STREAMS");
    const { workspace } = ada;
    const { enrollment_id: enrollmentId } = await createEnrollment({ ctx: ada.ctx, input: { workspace } });
    const awaited = watchEnrollment({ ctx: ada.ctx, input: { workspace, enrollmentId } });
    await expect(awaited.next()).rejects.toThrow("QUOTA_LIVE_STREAMS");
    await first.return(undefined);
    const second = watch();
    expect((await second.next()).done).toBe(false);
    await second.return(undefined);
  });
});
