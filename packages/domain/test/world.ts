import { randomUUID } from "node:crypto";
import { sql } from "@rigmark/db";
import { createTestDatabase } from "@rigmark/db/testing";
import type { Lease, Reason, RunSpec } from "@rigmark/protocol";
import { afterAll, beforeAll, inject } from "vitest";
import {
  type Actor,
  authenticateHost,
  type Ctx,
  challengeHost,
  createEnrollment,
  createRun,
  type Domain,
  enrollHost,
  ensureOwnWorkspace,
  finishAttempt,
  leaseAttempt,
  listWorkspaces,
  openDomain,
  openSession,
  putCatalogue,
  putChunk,
  putFacts,
  startAttempt,
} from "../src/index";
import {
  CATALOGUE,
  FACTS,
  makeAgentKey,
  packChunks,
  SCENARIO,
  SPEC,
  type TestChunk,
  totalsOf,
  writeJournal,
} from "../src/testing/index";

export interface Person {
  ctx: Ctx;
  workspace: string;
}
export interface World {
  domain: Domain;
  system: Ctx;
  anonymous: Ctx;
  /** A clock that only tests move. */
  clock: { advance(seconds: number): void };
  as(actor: Actor): Ctx;
  person(name: string): Promise<Person>;
  host(owner: Person): Promise<{ ctx: Ctx; hostId: string }>;
}

/** A database of its own for a test file, with people and hosts made on demand. */
export function useWorld(): World {
  const world = { clock: { advance: () => undefined } } as unknown as World;
  let offset = 0;
  beforeAll(async () => {
    const databaseUrl = await createTestDatabase(inject("clusterUrl"));
    world.domain = openDomain({
      databaseUrl,
      publicUrl: "https://rigmark.example",
      version: "0.0.0-test",
      longPollMs: 0,
      now: () => new Date(Date.now() + offset),
    });
    world.as = (actor) => world.domain.as(actor);
    world.system = world.as({ kind: "system" });
    world.anonymous = world.as({ kind: "anonymous" });
    world.clock = {
      advance: (seconds) => {
        offset += seconds * 1000;
      },
    };
    world.person = (name) => makePerson(world, name);
    world.host = (owner) => makeHost(world, owner);
  });
  afterAll(() => world.domain?.close());
  return world;
}

async function makePerson(world: World, name: string): Promise<Person> {
  const userId = randomUUID();
  const email = `${name.toLowerCase()}-${userId}@example.org`;
  await world.domain.db.query(
    sql`INSERT INTO "user" (id, name, email, updated_at) VALUES (${userId}, ${name}, ${email}, now())`,
  );
  await ensureOwnWorkspace({ ctx: world.system, input: { userId, name, email } });
  const ctx = world.as({ kind: "user", userId, name, email });
  const [mine] = await listWorkspaces({ ctx, input: {} });
  return { ctx, workspace: mine?.slug ?? "" };
}

async function makeHost(world: World, owner: Person) {
  const key = makeAgentKey();
  const made = await createEnrollment({ ctx: owner.ctx, input: { workspace: owner.workspace } });
  const enrolled = await enrollHost({
    ctx: world.anonymous,
    input: { key: made.key, public_key: key.publicKey, hostname: FACTS.hostname, agent_version: "0.1.0" },
  });
  const hostId = enrolled.host_id;
  const { nonce, protocol } = await challengeHost({
    ctx: world.anonymous,
    input: { host_id: hostId, protocol_min: 1, protocol_max: 1 },
  });
  const { token } = await openSession({
    ctx: world.anonymous,
    input: { host_id: hostId, nonce, protocol, signature: key.sign(hostId, nonce) },
  });
  const ctx = world.as(await authenticateHost({ ctx: world.anonymous, input: { token } }));
  await putFacts({ ctx, input: FACTS });
  await putCatalogue({ ctx, input: CATALOGUE });
  return { ctx, hostId };
}

export const leaseRequest = (request_id: string = randomUUID()) => ({
  request_id,
  boot_id: FACTS.boot_id,
  catalogue_digest: "cd".repeat(32),
});

/** A queued run in the hands of its agent. */
export async function leasedRun(owner: Person, agent: { ctx: Ctx; hostId: string }, spec: RunSpec = SPEC) {
  const created = await createRun({
    ctx: owner.ctx,
    input: { workspace: owner.workspace, hostId: agent.hostId, spec },
  });
  const { lease } = await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() });
  if (!lease) throw new Error("nothing was leased");
  return { runId: created.run_id, lease };
}

/** A run that went as planned: epoll is faster than nginx. */
export async function finishedRun(owner: Person, agent: { ctx: Ctx; hostId: string }, title = SPEC.title) {
  const { runId, lease } = await leasedRun(owner, agent, { ...SPEC, title });
  await beginAttempt(agent.ctx, lease);
  const rates = { nginx: 10_000, epoll: 14_000 };
  const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates }), 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  return runId;
}

export const beginAttempt = (ctx: Ctx, lease: Lease) =>
  startAttempt({ ctx, input: { attemptId: lease.attempt_id, attemptNo: lease.attempt_no } });

export const sendChunk = (ctx: Ctx, lease: Lease, chunk: TestChunk, stream: "journal" | "raw" = "journal") =>
  putChunk({
    ctx,
    input: { attemptId: lease.attempt_id, attemptNo: lease.attempt_no, stream, ...chunk },
  });

export const endAttempt = (
  ctx: Ctx,
  lease: Lease,
  journal: TestChunk[],
  status: "succeeded" | "failed" | "cancelled" = "succeeded",
  raw: TestChunk[] = [],
  error: Reason = { code: "server-not-ready", message: "epoll did not answer." },
) =>
  finishAttempt({
    ctx,
    input: {
      attemptId: lease.attempt_id,
      attemptNo: lease.attempt_no,
      status,
      error: status === "failed" ? error : null,
      corrupt_records: 0,
      streams: { journal: totalsOf(journal), raw: totalsOf(raw) },
    },
  });
