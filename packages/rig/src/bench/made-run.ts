import { randomUUID } from "node:crypto";
import {
  authenticateHost,
  challengeHost,
  enrollHost,
  finishAttempt,
  leaseAttempt,
  openSession,
  putCatalogue,
  putChunk,
  putFacts,
  startAttempt,
} from "@rigmark/domain";
import {
  CATALOGUE,
  FACTS,
  makeAgentKey,
  packChunks,
  SCENARIO,
  SPEC,
  totalsOf,
  writeJournal,
} from "@rigmark/domain/testing";
import type { JournalRecord, Scenario } from "@rigmark/protocol";
import { CommandError } from "../say";
import { type Home, issueKey, queueHomeRun } from "../up/home";

const SERVERS = 12;
const CHECKS = 12;
const PER_CHUNK = 80;

const scenario = (id: string, title: string, body_bytes: number, keep_alive = true): Scenario => ({
  ...SCENARIO,
  id,
  title,
  path: `/${title.split(" ")[0]?.toLowerCase()}`,
  body_bytes,
  load: { kind: "closed", connections: 32, keep_alive },
});
const SCENARIOS: Scenario[] = [
  scenario("static-1k-ab", "1k.bin to 32 connections, ab", 1024),
  scenario("static-1k-ab-close", "1k.bin on new connections, ab", 1024, false),
  scenario("large-script-ab", "large.js to 32 connections, ab", 286_720),
  scenario("static-1m-ab", "1m.bin to 32 connections, ab", 1_048_576),
  scenario("static-10m-ab", "10m.bin to 32 connections, ab", 10_485_760),
];
/** 100,000 latencies of 1 to 100,000 µs, as HDR V2. */
const HISTOGRAM =
  "HISTFAAAAR14nO2PQW7CMBBF45+0iVpVidru2kqo6rYnqKoirtNtNxU7lBsgDsAKcRjEKdjDimUwOAgIDoTItgT8Gc/YnvGfJ7+m3SfP+3j2lPn5LpYpzLLsZ6oK4xijGL0IkxD9ADM/XwNgLjRrKNDG/4H4xZf071Wut3/iBW/SN9n9PcYD7mUo35z01Uvth7hZuZ/vu169Sv356314Bd8rlHnlhzZmEk444QZmFi1AVbPwknDCCXcJD4p2G2jMQtEVh3CDasIvDR4pu4uivZO2eKRtdxDhhBNudFCSPCaJPhnrOEAQTjjhNQY1Gu/S18nOxQGCcMIJr6FtNVvSmltRfjnhqREd4YQTbleXio5IhcplUadzLjr+nD+/Dt3fAnPlRbk=";

export interface MadeHost {
  ctx: Home["ctx"];
  hostId: string;
}

/** A host of our own making, as an agent would enroll it. */
export async function makeHost(home: Home): Promise<MadeHost> {
  const anonymous = { ...home.ctx, actor: { kind: "anonymous" } as const };
  const key = makeAgentKey();
  const { host_id } = await enrollHost({
    ctx: anonymous,
    input: {
      key: await issueKey(home),
      public_key: key.publicKey,
      hostname: FACTS.hostname,
      agent_version: FACTS.agent_version,
    },
  });
  const asked = { host_id, protocol_min: 1, protocol_max: 1 };
  const { nonce, protocol } = await challengeHost({ ctx: anonymous, input: asked });
  const signature = key.sign(host_id, nonce);
  const { token } = await openSession({
    ctx: anonymous,
    input: { host_id, nonce, protocol, signature },
  });
  const ctx = { ...home.ctx, actor: await authenticateHost({ ctx: anonymous, input: { token } }) };
  const [one] = CATALOGUE.servers;
  if (!one) throw new CommandError("the made-up catalogue has no server.");
  await putFacts({ ctx, input: FACTS });
  await putCatalogue({
    ctx,
    input: {
      ...CATALOGUE,
      servers: names().map((name) => ({ ...one, name, title: name })),
      scenarios: SCENARIOS.map((s) => ({ scenario: s, supported: true, reason: null, fix: null })),
    },
  });
  return { ctx, hostId: host_id };
}

const names = (): string[] => Array.from({ length: SERVERS }, (_, i) => `server-${i + 1}`);

/** Uniform between 0 and 1, the same in each bench (Park and Miller). */
function* draws(seed: number): Generator<number, never> {
  for (let state = seed; ; ) {
    state = (state * 16_807) % (2 ** 31 - 1);
    yield state / 2 ** 31;
  }
}

/** Trials that differ by a few percent, each with a verification before and after it, as an agent reports them. */
function asMeasured(records: JournalRecord[], seed: number): JournalRecord[] {
  const checks = Array.from({ length: CHECKS }, (_, i) => ({
    id: `check-${i + 1}`,
    title: `file ${i + 1} arrives whole, by its hash`,
    status: "passed" as const,
    message: null,
    expected_bytes: null,
    actual_bytes: null,
  }));
  const random = draws(seed);
  const all = records.flatMap((record): JournalRecord[] => {
    if (record.kind !== "trial" || !record.data.result) return [record];
    const { entry_key, trial_id, result } = record.data;
    const requests = Math.round(result.requests * (0.98 + 0.04 * random.next().value));
    const requests_per_s = requests / (result.duration_us / 1e6);
    return [
      { ...record, data: { ...record.data, result: { ...result, requests, requests_per_s } } },
      ...(["before", "after"] as const).map(
        (when): JournalRecord => ({
          ...record,
          kind: "verify",
          data: { entry_key, trial_id, when, workload: "static", status: "passed", checks },
        }),
      ),
    ];
  });
  return all.map((record, seq) => ({ ...record, seq }));
}

/** Sends a run as an agent sends it, every trial of it counting. Returns its id. */
export async function makeRun(
  home: Home,
  agent: MadeHost,
  asked: { title: string; servers: number; scenarios: number; repeats: number; seed: number },
): Promise<string> {
  const labels = names().slice(0, asked.servers);
  const scenarios = SCENARIOS.slice(0, asked.scenarios);
  const run_id = await queueHomeRun(home, agent.hostId, {
    ...SPEC,
    title: asked.title,
    entries: labels.map((name) => ({ label: name, server: name, options: {} })),
    scenarios: scenarios.map((s) => s.id),
    repeats: asked.repeats,
    duration_s: 10,
    baseline: "server-1",
  });
  const { lease } = await leaseAttempt({
    ctx: agent.ctx,
    input: { request_id: randomUUID(), boot_id: FACTS.boot_id, catalogue_digest: "cd".repeat(32) },
  });
  if (!lease) throw new CommandError("the made-up run was not handed out.");
  const fence = { attemptId: lease.attempt_id, attemptNo: lease.attempt_no };
  await startAttempt({ ctx: agent.ctx, input: fence });
  const rates = Object.fromEntries(labels.map((name, i) => [name, 10_000 + 2500 * ((i * 5) % SERVERS)]));
  const written = writeJournal(lease, { facts: FACTS, scenarios, rates, samples: 10, histogram: HISTOGRAM });
  const journal = packChunks(asMeasured(written, asked.seed), PER_CHUNK);
  for (const chunk of journal)
    await putChunk({ ctx: agent.ctx, input: { ...fence, stream: "journal", ...chunk } });
  await finishAttempt({
    ctx: agent.ctx,
    input: {
      ...fence,
      status: "succeeded",
      error: null,
      corrupt_records: 0,
      streams: { journal: totalsOf(journal), raw: totalsOf([]) },
    },
  });
  return run_id;
}
