import { randomUUID } from "node:crypto";
import { approveDevice, cancelRun, createRun, denyDevice, renderReport, revokeToken } from "@rigmark/domain";
import { JournalRecord } from "@rigmark/protocol";
import { RunSnapshot } from "@rigmark/results/public";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { document, ROUTES } from "../src/v1/index";
import { type Fixture, makeFixture, SPEC } from "./fixture";
import { apiOf, type Got, type Sent } from "./v1";

const SOURCE = {
  repository: "https://forge.example/Ada/Server.git",
  commit: "8f0e6d2b4a1c3957be60d1f2a4c8e9b7d5f31a02",
  branch: "faster",
  pull_request: 12,
};

let fixture: Fixture;
let ask: (method: string, path: string, sent?: Sent) => Promise<Got>;
let runs: string;
beforeAll(async () => {
  fixture = await makeFixture();
  const { token } = await fixture.makeToken(["admin"]);
  ask = (method, path, sent = {}) => apiOf(fixture)(method, `/api/v1${path}`, { token, ...sent });
  runs = `/workspaces/${fixture.ws.workspace}/runs`;
});
afterAll(() => fixture?.close());

const request = (more: object = {}) => ({ host: fixture.host.hostId, spec: SPEC, ...more });
/** The owner at a browser. */
const owner = () => fixture.domain.as(fixture.owner);

describe("the document", () => {
  it("is OpenAPI 3.1, and has every route once", async () => {
    const made = document("https://rigmark.example");
    const { valid, errors } = await new Validator().validate(structuredClone(made) as never);
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    const ids = Object.values(made.paths ?? {}).flatMap((path) =>
      Object.values(path as object).map((operation: { operationId: string }) => operation.operationId),
    );
    expect(ids.sort()).toEqual(ROUTES.map((route) => route.name).sort());
  });

  it("is served without a token", async () => {
    const { status, body, headers } = await ask("GET", "/openapi.json", { token: null });
    expect(status).toBe(200);
    expect(body.openapi).toBe("3.1.0");
    const again = await ask("GET", "/openapi.json", {
      headers: { "if-none-match": headers.get("etag") ?? "" },
    });
    expect(again.status).toBe(304);
  });
});

describe("tokens", () => {
  it("that are missing, cut, unknown, expired or revoked are refused in one sentence", async () => {
    const expired = await fixture.makeToken(["read"], 30);
    const revoked = await fixture.makeToken(["read"]);
    await revokeToken({ ctx: owner(), input: { workspace: null, tokenId: revoked.tokenId } });
    await fixture.domain.db.prisma.token.update({
      where: { token_id: expired.tokenId },
      data: { expires_at: new Date(0) },
    });
    for (const [token, words] of [
      [null, "has no token"],
      ["rgm_short", "is incomplete"],
      [`rgm_${"A".repeat(43)}`, "not known here"],
      [expired.token, "expired on 1970-01-01"],
      [revoked.token, "was revoked"],
    ] as const) {
      const { status, body, headers } = await ask("GET", "/me", { token });
      expect({ status, code: body.code }, words).toEqual({ status: 401, code: "unauthorized" });
      expect(body.detail).toContain(words);
      expect(headers.get("www-authenticate")).toContain("Bearer");
    }
  });

  it("are kept as hashes alone, and their last use is seen", async () => {
    const { token, tokenId } = await fixture.makeToken(["read"]);
    expect((await ask("GET", "/me", { token })).body.token).toMatchObject({ id: tokenId, scopes: ["read"] });
    const row = await fixture.domain.db.prisma.token.findUnique({
      where: { token_id: tokenId },
      include: { lookup: true },
    });
    expect(row?.last_used_at).toBeInstanceOf(Date);
    expect(JSON.stringify(row)).not.toContain(token);
    expect(row?.lookup?.token_hash).toHaveLength(32);
  });

  it("that revoke themselves are refused from then on", async () => {
    const { token } = await fixture.makeToken(["read"]);
    expect((await ask("DELETE", "/me/token", { token })).status).toBe(204);
    const { status, body } = await ask("GET", "/me", { token });
    expect(status).toBe(401);
    expect(body.detail).toContain("was revoked");
  });
});

describe("what is wrong", () => {
  it("is named field by field", async () => {
    const { status, body, headers } = await ask("POST", runs, {
      body: request({ spec: { ...SPEC, repeats: 0 }, source: { ...SOURCE, commit: "abc" } }),
    });
    expect(status).toBe(422);
    expect(headers.get("content-type")).toBe("application/problem+json");
    expect(body).toMatchObject({ code: "invalid", title: "Invalid request", status: 422 });
    expect(body.errors).toEqual([
      { path: "spec.repeats", detail: "must be at least 1" },
      { path: "source.commit", detail: "a commit is 40 lower-case hexadecimal digits" },
    ]);
    expect(body.detail).toBe(
      "The body is not valid. spec.repeats: must be at least 1, and 1 more in `errors`.",
    );
  });

  it("has a status and a code each", async () => {
    const tries: [string, string, Sent, number, string][] = [
      ["GET", "/nothing", {}, 404, "not_found"],
      ["PUT", "/me", {}, 405, "method_not_allowed"],
      ["OPTIONS", "/me", {}, 405, "method_not_allowed"],
      ["GET", `/runs/${randomUUID()}`, {}, 404, "not_found"],
      ["GET", "/runs/x", {}, 422, "invalid"],
      ["GET", `${runs}?limit=1000`, {}, 422, "invalid"],
      ["GET", `${runs}?limit=1&limit=2`, {}, 422, "invalid"],
      ["GET", `${runs}?cursor=x`, {}, 422, "invalid"],
      ["POST", runs, { body: "{" }, 422, "invalid"],
      ["POST", runs, { body: "x".repeat(200_000) }, 413, "too_large"],
      ["POST", runs, { body: request({ host: "nowhere" }) }, 404, "not_found"],
      ["POST", runs, { body: request({ url: "http://x" }) }, 422, "invalid"],
      ["POST", runs, { body: request(), headers: { "idempotency-key": "a b" } }, 422, "invalid"],
    ];
    for (const [method, path, sent, status, code] of tries) {
      const got = await ask(method, path, sent);
      expect([got.status, got.body.code], `${method} ${path}`).toEqual([status, code]);
    }
    expect((await ask("PUT", "/me")).headers.get("allow")).toBe("GET");
    expect((await ask("GET", "/me")).headers.get("access-control-allow-origin")).toBeNull();
  });

  it("is too many requests: the headers say what is left, and when to come again", async () => {
    const { token, tokenId } = await fixture.makeToken(["read"]);
    const first = await ask("GET", "/me", { token });
    expect(first.headers.get("ratelimit-policy")).toBe('"token";q=600;w=60');
    expect(first.headers.get("ratelimit")).toMatch(/^"token";r=599;t=\d+$/);
    await fixture.domain.db.prisma.rateLimit.update({
      where: { key: `token|${tokenId}` },
      data: { count: 600 },
    });
    const { status, body, headers } = await ask("GET", "/me", { token });
    expect([status, body.code]).toEqual([429, "too_many"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(headers.get("ratelimit")).toMatch(/r=0;/);
  });
});

describe("lists and things", () => {
  it("are read page by page, each run once", async () => {
    for (let i = 0; i < 3; i += 1) await ask("POST", runs, { body: request() });
    const whole = (await ask("GET", runs)).body.items.map((run: { id: string }) => run.id);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Got = await ask("GET", `${runs}?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...page.body.items.map((run: { id: string }) => run.id));
      cursor = page.body.next_cursor;
    }
    expect(seen).toEqual(whole);
    const trials = await ask("GET", `/runs/${fixture.run.runId}/trials?limit=3`);
    expect(trials.body.items).toHaveLength(3);
    const next = await ask("GET", `/runs/${fixture.run.runId}/trials?cursor=${trials.body.next_cursor}`);
    expect(next.body.items).toHaveLength(7);
    expect(next.body.next_cursor).toBeNull();
  });

  it("are the agent's records, from which a file is made", async () => {
    const { status, body } = await ask("GET", `/runs/${fixture.run.runId}/journal`);
    expect(status).toBe(200);
    const records = body.items.map((line: string) => JournalRecord.parse(JSON.parse(line)));
    expect(records[0]).toMatchObject({ kind: "begin", data: { run_id: fixture.run.runId } });
    expect(records.map((r: JournalRecord) => r.seq)).toEqual(records.map((_: unknown, i: number) => i));
    expect(records.at(-1).kind).toBe("result");
    expect(body.next_cursor).toBeNull();
    const after = await ask("GET", `/runs/${fixture.run.runId}/journal?cursor=c900`);
    expect(after.body).toEqual({ items: [], next_cursor: null });
    expect((await ask("GET", `/runs/${fixture.run.runId}/journal?cursor=x`)).status).toBe(422);
  });

  it("cost nothing when the caller has them", async () => {
    const path = `/runs/${fixture.run.runId}`;
    const etag = (await ask("GET", path)).headers.get("etag") ?? "";
    expect((await ask("GET", path, { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await ask("GET", path, { headers: { "if-none-match": '"other"' } })).status).toBe(200);
  });

  it("take a host by its exact name, or by its id in small or capital letters", async () => {
    const { host } = (await ask("GET", `/runs/${fixture.run.runId}`)).body;
    const listed = async (id: string) =>
      (await ask("GET", `${runs}?host=${id}`)).body.items.map((run: { id: string }) => run.id);
    expect(await listed(host.id)).toContain(fixture.run.runId);
    expect(await listed(host.id.toUpperCase())).toEqual(await listed(host.id));
    const queue = (named: string) => ask("POST", runs, { body: request({ host: named }) });
    expect((await queue(host.name)).body.host).toEqual(host);
    expect((await queue(host.name.toUpperCase())).status).toBe(404);
  });

  it("say of a run what its page says, and of a trial what was counted", async () => {
    const run = (await ask("GET", `/runs/${fixture.run.runId}`)).body;
    const results = (await ask("GET", `/runs/${fixture.run.runId}/results`)).body;
    expect(run.state).toBe("succeeded");
    expect(run.verdict.sentence).toBe(results.sentence);
    const [stored] = run.verdict.scenarios;
    const [shown] = results.scenarios;
    const same = ({ label, verdict, ratio, low, high }: Record<string, unknown>) => ({
      ...{ label, verdict, ratio, low, high },
    });
    expect(stored.entries.map(same)).toEqual(expect.arrayContaining(shown.entries.map(same)));
    for (const { latency_bound, not_sustained, percentiles } of shown.entries) {
      expect([latency_bound, not_sustained]).toEqual([null, null]);
      expect(percentiles[0].note).toEqual({ code: "closed-loop", reason: expect.any(String) });
    }
    const samples = (await ask("GET", `/runs/${fixture.run.runId}/trials/${fixture.trialId}/samples`)).body;
    expect(samples.t_us[0]).toBe(0);
    expect(samples.requests).toHaveLength(samples.t_us.length);
    const series = (
      await ask("GET", `/workspaces/${fixture.ws.workspace}/series?label=epoll&scenario=static-1k-ab`)
    ).body;
    expect(series.items.map((point: { run: string }) => point.run)).toEqual([fixture.run.runId]);
  });

  it("has a run in the fields that a report has of it", async () => {
    const path = `/runs/${fixture.run.runId}`;
    const snapshot = (await ask("GET", `${path}/snapshot`)).body;
    const report = await ask("POST", `/workspaces/${fixture.ws.workspace}/reports`, {
      body: { run_ids: [fixture.run.runId] },
    });
    const ctx = fixture.domain.as({ kind: "anonymous" });
    const text = await renderReport({ ctx, input: { slug: report.body.slug, as: "json" } });
    const [frozen] = JSON.parse(text).runs;
    for (const name of ["entries", "scenarios", "trials", "summary", "spec", "gaps", "repeat_command"])
      expect(snapshot[name], name).toEqual(frozen[name]);
    expect(snapshot.environment.facts.boot_id).toBe("[host]");
    expect(RunSnapshot.parse(snapshot)).toEqual(snapshot);
  });

  it("find a run by what it measured, however the repository is written", async () => {
    const made = await ask("POST", runs, { body: request({ source: SOURCE }) });
    expect(made.body.source).toEqual({ ...SOURCE, base_commit: null, dirty: false });
    for (const [query, found] of [
      ["repository=ada/server", 1],
      ["repository=git@forge.example:Ada/Server.git&branch=faster", 1],
      ["commit=8f0e6d2", 1],
      [`commit=${SOURCE.commit}&pull_request=12`, 1],
      ["repository=ada/server&pull_request=13", 0],
      ["repository=ada/other", 0],
      ["branch=main", 0],
      ["state=queued&branch=faster", 1],
      ["state=failed&branch=faster", 0],
      ["host=the+pi&branch=faster", null],
    ] as const) {
      const { status, body } = await ask("GET", `${runs}?${query}`);
      expect(found === null ? status : body.items.length, query).toBe(found ?? 404);
    }
  });
});

describe("a request with an Idempotency-Key", () => {
  const headers = (key: string) => ({ "idempotency-key": key });

  it("is done once, and the same again gets the same response", async () => {
    const body = request();
    const first = await ask("POST", runs, { body, headers: headers("k1") });
    const again = await ask("POST", runs, { body, headers: headers("k1") });
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    const other = await ask("POST", runs, { body: request({ source: SOURCE }), headers: headers("k1") });
    expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
  });

  it("that was refused leaves its key free", async () => {
    const bad = await ask("POST", runs, { body: request({ host: "nowhere" }), headers: headers("k2") });
    expect(bad.status).toBe(404);
    expect((await ask("POST", runs, { body: request(), headers: headers("k2") })).status).toBe(201);
  });

  it("of two at once is done once", async () => {
    const body = request();
    const both = await Promise.all([1, 2].map(() => ask("POST", runs, { body, headers: headers("k3") })));
    const made = both.filter((got) => got.status === 201);
    expect(new Set(made.map((got) => got.body.id)).size).toBe(1);
    for (const got of both) expect([201, 409]).toContain(got.status);
  });
});

describe("waiting", () => {
  it("ends when the run does", async () => {
    const { run_id: runId } = await createRun({
      ctx: owner(),
      input: { ...fixture.host, spec: SPEC },
    });
    const waits = ask("GET", `/runs/${runId}?wait_s=25`);
    await cancelRun({ ctx: owner(), input: { ...fixture.ws, runId } });
    const { body } = await waits;
    expect(body).toMatchObject({ state: "cancelled", verdict: null });
  });

  it("of a run that is over takes no time, and one that goes on is answered as it is", async () => {
    expect((await ask("GET", `/runs/${fixture.run.runId}?wait_s=25`)).body.state).toBe("succeeded");
    const { body } = await ask("POST", runs, { body: request() });
    expect((await ask("GET", `/runs/${body.id}?wait_s=0.05`)).body.state).toBe("queued");
  });
});

describe("a sign-in with a browser", () => {
  const start = async () =>
    (await ask("POST", "/device", { token: null, body: { client: "rigmark on attic" } })).body;
  const collect = (device_code: string) =>
    ask("POST", "/device/token", { token: null, body: { device_code } });
  const approval = { workspace: null, scopes: ["read", "queue"] as const, days: 90 as const };

  it("gives a token once it is approved, and once only", async () => {
    const { device_code, user_code, verification_url } = await start();
    expect(verification_url).toBe(`https://rigmark.example/device?code=${user_code}`);
    expect((await collect(device_code)).body).toEqual({ status: "pending" });
    await approveDevice({ ctx: owner(), input: { userCode: user_code, ...approval } });
    const { status, body } = await collect(device_code);
    expect(status).toBe(200);
    expect(body.person.email).toBe("ada@example.org");
    const me = (await ask("GET", "/me", { token: body.token })).body;
    expect(me.token).toMatchObject({ name: "rigmark on attic", scopes: ["read", "queue"] });
    expect((await collect(device_code)).status).toBe(410);
    await expect(
      approveDevice({ ctx: owner(), input: { userCode: user_code, ...approval } }),
    ).rejects.toThrow("already approved or denied");
  });

  it("can be for one workspace only", async () => {
    const { device_code, user_code } = await start();
    const { workspace } = fixture.ws;
    await approveDevice({ ctx: owner(), input: { userCode: user_code, ...approval, workspace } });
    const { token } = (await collect(device_code)).body;
    expect((await ask("GET", "/me", { token })).body.workspaces.map((w: { slug: string }) => w.slug)).toEqual(
      [workspace],
    );
  });

  it("that is denied, or that nobody began, is gone", async () => {
    const { device_code, user_code } = await start();
    await denyDevice({ ctx: owner(), input: { userCode: user_code } });
    const denied = await collect(device_code);
    expect([denied.status, denied.body.code]).toEqual([410, "gone"]);
    expect(denied.body.detail).toContain("denied");
    expect((await collect("rgmd_unknown")).status).toBe(410);
  });
});
