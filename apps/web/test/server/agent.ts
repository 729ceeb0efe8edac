import { randomUUID } from "node:crypto";
import {
  CATALOGUE,
  FACTS,
  makeAgentKey,
  packChunks,
  SCENARIO,
  type TestChunk,
  totalsOf,
  writeJournal,
} from "@rigmark/domain/testing";
import {
  ChallengeResponse,
  ChunkResponse,
  EnrollResponse,
  FinishResponse,
  HeartbeatResponse,
  type Lease,
  LeaseResponse,
  SessionResponse,
  StartResponse,
  WireError,
} from "@rigmark/protocol";
import type { z } from "zod";

export type Send = (request: Request) => Promise<Response>;

/** An agent as its endpoint sees it: HTTP and nothing else. Every response is held against the protocol. */
export class WireAgent {
  private readonly key = makeAgentKey();
  /** The bearer of its session. */
  session = "";
  hostId = "";

  constructor(
    private readonly origin: string,
    private readonly send: Send,
  ) {}

  request(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const raw = body instanceof Uint8Array;
    return this.send(
      new Request(`${this.origin}/api/agent/v1/${path}`, {
        method,
        headers: {
          ...(this.session ? { authorization: `Bearer ${this.session}` } : {}),
          ...(raw ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: raw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
      }),
    );
  }

  private async ask<T>(schema: z.ZodType<T>, method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.request(method, path, body);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return schema.parse(await response.json());
  }

  async enroll(key: string) {
    const body = { key, public_key: this.key.publicKey, hostname: FACTS.hostname, agent_version: "0.1.0" };
    const enrolled = await this.ask(EnrollResponse, "POST", "enroll", body);
    this.hostId = enrolled.host_id;
    return enrolled;
  }

  async openSession() {
    const host_id = this.hostId;
    const asked = { host_id, protocol_min: 1, protocol_max: 1 };
    const { nonce, protocol } = await this.ask(ChallengeResponse, "POST", "session/challenge", asked);
    const signature = this.key.sign(host_id, nonce);
    const body = { host_id, nonce, protocol, signature };
    this.session = (await this.ask(SessionResponse, "POST", "session", body)).token;
    return body;
  }

  async describe() {
    for (const [path, body] of [
      ["host/facts", FACTS],
      ["host/catalogue", CATALOGUE],
    ] as const) {
      const response = await this.request("PUT", path, body);
      if (!response.ok) throw new Error(await response.text());
    }
  }

  lease(request_id: string = randomUUID()) {
    return this.ask(LeaseResponse, "POST", "lease", {
      request_id,
      boot_id: FACTS.boot_id,
      catalogue_digest: "cd".repeat(32),
    });
  }
  start(lease: Lease) {
    return this.ask(StartResponse, "POST", `attempts/${lease.attempt_id}/start`, {
      attempt_no: lease.attempt_no,
    });
  }
  heartbeat(lease: Lease, state: "preparing" | "measuring" | "uploading") {
    const body = { attempt_no: lease.attempt_no, state, t_us: 1 };
    return this.ask(HeartbeatResponse, "POST", `attempts/${lease.attempt_id}/heartbeat`, body);
  }
  chunk(
    lease: Lease,
    chunk: TestChunk,
    stream: "journal" | "raw" = "journal",
    headers: Record<string, string> = {},
  ) {
    return this.request(
      "PUT",
      `attempts/${lease.attempt_id}/streams/${stream}/chunks/${chunk.seq}`,
      chunk.body,
      {
        "content-type": "application/x-ndjson",
        "content-encoding": "gzip",
        "x-rigmark-sha256": chunk.sha256,
        "x-rigmark-records": String(chunk.records),
        "x-rigmark-attempt-no": String(lease.attempt_no),
        ...headers,
      },
    );
  }
  finish(lease: Lease, journal: TestChunk[], status: "succeeded" | "cancelled" = "succeeded") {
    const streams = { journal: totalsOf(journal), raw: totalsOf([]) };
    const body = { attempt_no: lease.attempt_no, status, error: null, corrupt_records: 0, streams };
    return this.request("POST", `attempts/${lease.attempt_id}/finish`, body);
  }
}

/** Takes the next run from its lease to its end. `rates`: requests a second of each entry, by label. */
export async function serveOneRun(agent: WireAgent, rates: Record<string, number>): Promise<Lease> {
  let { lease } = await agent.lease();
  // A request is held for some seconds only, and whoever queues the run may take longer on a busy host.
  while (!lease) ({ lease } = await agent.lease());
  await agent.start(lease);
  const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates }), 50);
  for (const chunk of chunks) await nextSeq(await agent.chunk(lease, chunk));
  await stateOf(await agent.finish(lease, chunks));
  return lease;
}

/** Status and error of a response that is not 2xx. */
export async function refusal(response: Response) {
  return { status: response.status, ...WireError.parse(await response.json()).error };
}
export const nextSeq = async (response: Response) => ChunkResponse.parse(await response.json()).next_seq;
export const stateOf = async (response: Response) => FinishResponse.parse(await response.json()).state;
