import { randomUUID } from "node:crypto";
import { gzipSync } from "node:zlib";
import { type Cluster, createTestDatabase, startCluster } from "@rigmark/db/testing";
import {
  type Ctx,
  cancelRun,
  createEnrollment,
  createRun,
  type Domain,
  ensureOwnWorkspace,
  getRun,
  listWorkspaces,
  openDomain,
  revokeHost,
} from "@rigmark/domain";
import { FACTS, packChunk, packChunks, SCENARIO, SPEC, writeJournal } from "@rigmark/domain/testing";
import type { Lease } from "@rigmark/protocol";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { agentEndpoint } from "@/server/agent-endpoint";
import { nextSeq, refusal, stateOf, WireAgent } from "./agent";

const ORIGIN = "http://127.0.0.1:4310";
vi.stubEnv("DATABASE_URL", "postgresql://unused");
vi.stubEnv("AUTH_SECRET", "x".repeat(32));
vi.stubEnv("LOG_LEVEL", "silent");

let cluster: Cluster;
let domain: Domain;
let ada: Ctx;
let slug: string;

const agent = () =>
  new WireAgent(ORIGIN, (request) => {
    const path = new URL(request.url).pathname.replace("/api/agent/v1/", "").split("/");
    return agentEndpoint(domain, request, path);
  });

async function enrolled() {
  const made = await createEnrollment({ ctx: ada, input: { workspace: slug } });
  const one = agent();
  await one.enroll(made.key);
  await one.openSession();
  await one.describe();
  return one;
}

async function leased(one: WireAgent): Promise<Lease> {
  await createRun({ ctx: ada, input: { workspace: slug, hostId: one.hostId, spec: SPEC } });
  const { lease } = await one.lease();
  if (!lease) throw new Error("nothing was leased");
  return lease;
}

beforeAll(async () => {
  cluster = await startCluster();
  const databaseUrl = await createTestDatabase(cluster.url);
  domain = openDomain({ databaseUrl, publicUrl: ORIGIN, version: "0.0.0", longPollMs: 60_000 });
  const userId = randomUUID();
  await domain.db.prisma.user.create({ data: { id: userId, name: "Ada", email: "ada@example.org" } });
  const system = domain.as({ kind: "system" });
  await ensureOwnWorkspace({ ctx: system, input: { userId, name: "Ada", email: "ada@example.org" } });
  ada = domain.as({ kind: "user", userId, name: "Ada", email: "ada@example.org" });
  slug = (await listWorkspaces({ ctx: ada, input: {} }))[0]?.slug ?? "";
});
afterAll(async () => {
  await domain?.close();
  await cluster?.stop();
});

describe("the agent's endpoint", () => {
  it("takes a run from enrollment to its end, over HTTP alone", async () => {
    const one = await enrolled();
    const lease = await leased(one);
    expect((await one.start(lease)).heartbeat_s).toBe(2);
    const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }), 30);
    const beat = await one.heartbeat(lease, "measuring");
    expect(beat).toMatchObject({ command: "none", next_seq: { journal: 0, raw: 0 } });
    for (const chunk of chunks) expect(await nextSeq(await one.chunk(lease, chunk))).toBe(chunk.seq + 1);
    expect((await one.heartbeat(lease, "uploading")).next_seq).toEqual({ journal: chunks.length, raw: 0 });
    expect(await stateOf(await one.finish(lease, chunks))).toBe("succeeded");
    expect(await stateOf(await one.finish(lease, chunks))).toBe("succeeded");
    const seen = await getRun({ ctx: ada, input: { workspace: slug, runId: lease.run_id } });
    expect(seen).toMatchObject({ state: "succeeded", missing: [], error: null });
  });

  it("wakes a held lease request as soon as a run is queued", async () => {
    const one = await enrolled();
    const hints: boolean[] = [];
    const wait = ada.bus.wait.bind(ada.bus);
    const waits = new Promise<void>((begun) => {
      vi.spyOn(ada.bus, "wait").mockImplementationOnce((topic) => {
        const waiter = wait(topic);
        const until: typeof waiter.until = async (ms, signal) => {
          // On a busy host the usual time could be over before the run is queued.
          const hint = waiter.until(Math.max(ms, 60_000), signal);
          begun();
          hints.push(await hint);
          return hint;
        };
        return { until, stop: () => waiter.stop() };
      });
    });
    const held = one.lease();
    await waits;
    await createRun({ ctx: ada, input: { workspace: slug, hostId: one.hostId, spec: SPEC } });
    expect((await held).lease?.attempt_no).toBe(1);
    // Woken, and not at the end of the time after which rows are read again anyway.
    expect(hints.at(-1)).toBe(true);
  });

  it("says what is wrong with a chunk, and stores nothing of it", async () => {
    const one = await enrolled();
    const lease = await leased(one);
    await one.start(lease);
    const [first, second] = packChunks(
      writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }),
      30,
    );
    if (!first || !second) throw new Error("too few chunks");

    expect(await refusal(await one.chunk(lease, second))).toMatchObject({
      status: 409,
      code: "chunk_gap",
      next_seq: 0,
    });
    const cut = { ...first, sha256: "ef".repeat(32) };
    expect(await refusal(await one.chunk(lease, cut))).toMatchObject({ status: 400, code: "invalid" });
    const plain = { ...first, body: Buffer.from("not gzip") };
    expect(await refusal(await one.chunk(lease, plain))).toMatchObject({ status: 400 });
    const bomb = { ...first, body: gzipSync(Buffer.alloc(64 * 1024 * 1024)) };
    expect(bomb.body.length).toBeLessThan(256 * 1024);
    expect(await refusal(await one.chunk(lease, bomb))).toMatchObject({ status: 413, code: "too_large" });
    const fat = { ...first, body: Buffer.alloc(300 * 1024) };
    expect(await refusal(await one.chunk(lease, fat))).toMatchObject({ status: 413 });
    const wrong = packChunk(0, [{ v: 1, seq: 0, t_us: 1, kind: "phase", data: {} } as never]);
    const refused = await refusal(await one.chunk(lease, wrong));
    expect(refused).toMatchObject({ status: 400, code: "invalid" });
    expect(refused.message).toContain("Line 1");

    expect(await nextSeq(await one.chunk(lease, first))).toBe(1);
    expect(await nextSeq(await one.chunk(lease, first))).toBe(1);
    const other = packChunk(0, [
      { v: 1, seq: 0, t_us: 2, kind: "label", data: { code: "x", message: "y", entry_key: null } },
    ]);
    expect(await refusal(await one.chunk(lease, other))).toMatchObject({
      status: 422,
      code: "chunk_conflict",
    });
    expect(await refusal(await one.finish(lease, [first, second]))).toMatchObject({
      status: 409,
      code: "chunks_missing",
      missing: [{ stream: "journal", from_seq: 1, to_seq: 2 }],
    });
    expect(await refusal(await one.finish(lease, [{ ...first, bytes: 1 }]))).toMatchObject({
      status: 412,
      code: "digest",
    });
  });

  it("keeps out who does not belong", async () => {
    const one = await enrolled();
    const lease = await leased(one);
    const stranger = await enrolled();
    expect(
      await refusal(await stranger.request("POST", `attempts/${lease.attempt_id}/start`, { attempt_no: 1 })),
    ).toMatchObject({
      status: 404,
    });
    const nobody = agent();
    expect(await refusal(await nobody.request("POST", "lease", {}))).toMatchObject({
      status: 401,
      code: "unauthenticated",
    });
    const unknown = await nobody.request("POST", "enroll", {
      key: `rgme_${"A".repeat(43)}`,
      public_key: "A".repeat(43),
      hostname: "x",
      agent_version: "0",
    });
    expect(await refusal(unknown)).toMatchObject({ status: 401, code: "key_unknown" });
    const made = await createEnrollment({ ctx: ada, input: { workspace: slug } });
    await agent().enroll(made.key);
    await expect(agent().enroll(made.key)).rejects.toThrow(/409.*key_used/);
    const used = await one.openSession();
    expect(await refusal(await one.request("POST", "session", used))).toMatchObject({ status: 401 });
    expect(
      await refusal(
        await one.request("POST", "session/challenge", {
          host_id: one.hostId,
          protocol_min: 2,
          protocol_max: 9,
        }),
      ),
    ).toMatchObject({
      status: 426,
      code: "protocol",
    });
    await revokeHost({ ctx: ada, input: { workspace: slug, hostId: one.hostId } });
    expect(await refusal(await one.request("POST", "lease", {}))).toMatchObject({
      status: 403,
      code: "revoked",
    });
    await expect(one.openSession()).rejects.toThrow(/403.*revoked/);
  });

  it("takes a step of an installation from who has the key, and from nobody else", async () => {
    const [mine, used, other] = await Promise.all(
      [1, 2, 3].map(() => createEnrollment({ ctx: ada, input: { workspace: slug } })),
    );
    if (!mine || !used || !other) throw new Error("no keys");
    const [host, session] = [agent(), await enrolled()];
    await host.enroll(used.key);
    const body = { step: "downloaded", state: "done", text: "rigmark.tar.gz" };
    const post = (bearer: string | null, more = {}) =>
      agent().request(
        "POST",
        "enroll/steps",
        { ...body, ...more },
        bearer === null ? {} : { authorization: `Bearer ${bearer}` },
      );
    const statuses = {
      itsKey: (await post(mine.key)).status,
      nobody: (await post(null)).status,
      unknown: (await post(`rgme_${"A".repeat(43)}`)).status,
      noKey: (await post("rgm_token")).status,
      session: (await session.request("POST", "enroll/steps", body)).status,
      usedByNobody: (await post(used.key)).status,
      usedByAnother: (await post(used.key, { host_id: session.hostId })).status,
      usedByItsHost: (await post(used.key, { host_id: host.hostId })).status,
    };
    expect(statuses).toEqual({
      itsKey: 200,
      nobody: 401,
      unknown: 401,
      noKey: 401,
      session: 401,
      usedByNobody: 401,
      usedByAnother: 401,
      usedByItsHost: 200,
    });
    for (const wrong of [{ step: "rm" }, { state: "begun" }, { text: "x".repeat(2001) }, { more: 1 }])
      expect(await refusal(await post(mine.key, wrong))).toMatchObject({ status: 400, code: "invalid" });
    expect(await refusal(await post(mine.key, { text: "x".repeat(20_000) }))).toMatchObject({ status: 413 });
    // The key has enrolled nobody by that.
    await agent().enroll(mine.key);
  });

  it("answers nonsense in one sentence", async () => {
    const one = await enrolled();
    for (const [method, path] of [
      ["GET", "lease"],
      ["POST", "attempts/x/start"],
      ["POST", `attempts/${randomUUID()}/nothing`],
      ["DELETE", "host/facts"],
    ] as const) {
      expect(await refusal(await one.request(method, path))).toMatchObject({
        status: 404,
        code: "not_found",
      });
    }
    expect(await refusal(await one.request("POST", "lease", { request_id: "x" }))).toMatchObject({
      status: 400,
      code: "invalid",
    });
  });

  it("tells an agent to cancel with its next heartbeat", async () => {
    const one = await enrolled();
    const lease = await leased(one);
    await one.start(lease);
    await cancelRun({ ctx: ada, input: { workspace: slug, runId: lease.run_id } });
    expect((await one.heartbeat(lease, "measuring")).command).toBe("cancel");
    expect(await stateOf(await one.finish(lease, [], "cancelled"))).toBe("cancelled");
  });
});
