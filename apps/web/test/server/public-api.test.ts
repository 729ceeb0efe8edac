import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { document } from "@rigmark/api/v1";
import { type Cluster, createTestDatabase, startCluster } from "@rigmark/db/testing";
import { createEnrollment, createToken, ensureOwnWorkspace, listWorkspaces } from "@rigmark/domain";
import { SPEC } from "@rigmark/domain/testing";
import createClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { DELETE, GET, POST } from "@/app/api/v1/[...path]/route";
import { agentEndpoint } from "@/server/agent-endpoint";
import { domain } from "@/server/domain";
import type { paths } from "../generated/v1";
import { serveOneRun, WireAgent } from "./agent";

const ORIGIN = "http://127.0.0.1:4310";
const RATES = { nginx: 10_000, epoll: 13_000 };
const HANDLERS: Record<string, (request: Request) => Promise<Response>> = { DELETE, GET, POST };
const answer = (request: Request): Promise<Response> => {
  const handler = HANDLERS[request.method];
  if (!handler) throw new Error(`no handler for ${request.method}`);
  return handler(request);
};

let cluster: Cluster;
let token: string;
let workspace: string;
let agent: WireAgent;

beforeAll(async () => {
  cluster = await startCluster();
  vi.stubEnv("DATABASE_URL", await createTestDatabase(cluster.url));
  vi.stubEnv("PUBLIC_URL", ORIGIN);
  vi.stubEnv("AUTH_SECRET", "x".repeat(32));
  vi.stubEnv("LOG_LEVEL", "silent");
  const ada = { userId: randomUUID(), name: "Ada", email: "ada@example.org" };
  await domain().db.prisma.user.create({ data: { id: ada.userId, name: ada.name, email: ada.email } });
  await ensureOwnWorkspace({ ctx: domain().as({ kind: "system" }), input: ada });
  const ctx = domain().as({ kind: "user", ...ada });
  workspace = (await listWorkspaces({ ctx, input: {} }))[0]?.slug ?? "";
  const scopes = ["queue"] as const;
  token = (await createToken({ ctx, input: { workspace: null, name: "ci", scopes, days: 30 } })).token;
  const { key } = await createEnrollment({ ctx, input: { workspace, name: "attic" } });
  agent = new WireAgent(ORIGIN, (request) =>
    agentEndpoint(domain(), request, new URL(request.url).pathname.replace("/api/agent/v1/", "").split("/")),
  );
  await agent.enroll(key);
  await agent.openSession();
  await agent.describe();
});
afterAll(async () => {
  await domain().close();
  await cluster?.stop();
});

describe("a client that is generated from the document", () => {
  it("has the types that are kept here (else run `vitest -u` and look at what changed)", async () => {
    // What has a default need not be sent.
    const options = { defaultNonNullable: false };
    const types = astToString(await openapiTS(structuredClone(document(ORIGIN)) as never, options));
    await expect(types).toMatchFileSnapshot("../generated/v1.ts");
  });

  it("queues a run, waits for it and reads the verdict", async () => {
    const client = createClient<paths>({
      baseUrl: `${ORIGIN}/api/v1`,
      fetch: answer,
      headers: { authorization: `Bearer ${token}` },
    });
    const { time_limit_s: _, tune: _tune, entries, ...rest } = SPEC;
    const spec = { ...rest, entries: entries.map(({ revision: _none, ...entry }) => entry) };
    const commit = "8f0e6d2b4a1c3957be60d1f2a4c8e9b7d5f31a02";
    const queued = await client.POST("/workspaces/{workspace}/runs", {
      params: { path: { workspace }, header: { "Idempotency-Key": "build-12" } },
      body: { host: "attic", spec, source: { repository: "ada/server", commit, pull_request: 12 } },
    });
    expect(queued.error).toBeUndefined();
    expect(queued.data?.state).toBe("queued");
    const served = serveOneRun(agent, RATES);
    const path = { run: queued.data?.id ?? "" };
    let run = queued.data;
    while (run && run.ended_at === null)
      run = (await client.GET("/runs/{run}", { params: { path, query: { wait_s: 25 } } })).data;
    await served;
    expect(run?.state).toBe("succeeded");
    expect(run?.verdict?.sentence).toContain("epoll");
    const epoll = run?.verdict?.scenarios[0]?.entries.find((entry) => entry.label === "epoll");
    expect(epoll?.verdict).toBe("faster");
    expect(epoll?.low).toBeGreaterThan(1);
    const found = await client.GET("/workspaces/{workspace}/runs", {
      params: { path: { workspace }, query: { repository: "ada/server", pull_request: 12 } },
    });
    expect(found.data?.items.map((item) => item.id)).toEqual([path.run]);
    const { data } = await client.GET("/runs/{run}/results", { params: { path } });
    expect(data?.sentence).toBe(run?.verdict?.sentence);
  });

  it("is told in one sentence what is wrong", async () => {
    const client = createClient<paths>({ baseUrl: `${ORIGIN}/api/v1`, fetch: answer });
    const { error, response } = await client.GET("/me");
    expect(response.status).toBe(401);
    expect(error?.code).toBe("unauthorized");
    expect(error?.detail).toContain("has no token");
  });
});

const has = (program: string): boolean =>
  // biome-ignore lint/style/noProcessEnv: where programs are
  (process.env.PATH ?? "").split(delimiter).some((dir) => existsSync(join(dir, program)));

describe("the examples of docs/api.md", () => {
  it.skipIf(!has("curl") || !has("jq") || !has("bash"))("work as they stand", async () => {
    const text = readFileSync(new URL("../../../../docs/api.md", import.meta.url), "utf8");
    const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map((found) => found[1] ?? "");
    expect(blocks.length).toBeGreaterThan(6);
    const { url, close } = await serve();
    const served = serveOneRun(agent, RATES);
    const dir = mkdtempSync(join(tmpdir(), "rigmark-api-"));
    try {
      const out = await shell(["set -euo pipefail", ...blocks].join("\n"), dir, {
        RIGMARK_URL: url,
        RIGMARK_TOKEN: token,
        WORKSPACE: workspace,
        HOST: "attic",
      });
      await served;
      expect(out).toContain('"email":"ada@example.org"');
      expect(out).toMatch(/epoll .*nginx/);
      expect(out).toMatch(/^epoll: \d+(\.\d+)? requests\/s$/m);
      expect(out).toMatch(/^8f0e6d2 /m);
      expect(out).toContain(`${ORIGIN}/r/`);
    } finally {
      close();
      rmSync(dir, { recursive: true });
    }
  });
});

/** The route handlers behind a port of their own. */
async function serve(): Promise<{ url: string; close: () => void }> {
  const server = createServer(async (incoming, outgoing) => {
    const parts: Buffer[] = [];
    for await (const part of incoming) parts.push(part as Buffer);
    const body = Buffer.concat(parts);
    const response = await answer(
      new Request(`${ORIGIN}${incoming.url}`, {
        method: incoming.method ?? "GET",
        headers: incoming.headers as Record<string, string>,
        ...(body.length > 0 ? { body } : {}),
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.end(Buffer.from(await response.arrayBuffer()));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

/** What the script printed; throws with its errors unless it ended well. */
function shell(script: string, cwd: string, env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    // biome-ignore lint/style/noProcessEnv: the script needs the programs of this machine
    const child = spawn("bash", ["-c", script], { cwd, env: { ...process.env, ...env } });
    let out = "";
    let errors = "";
    child.stdout.on("data", (data) => {
      out += data;
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", reject);
    child.on("close", (code) =>
      code === 0 ? resolve(out) : reject(new Error(`It ended with ${code}: ${out}${errors}`)),
    );
  });
}
