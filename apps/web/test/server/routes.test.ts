import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Cluster, createTestDatabase, startCluster } from "@rigmark/db/testing";
import {
  createBadge,
  createEnrollment,
  createReport,
  createRun,
  createToken,
  listWorkspaces,
  revokeHost,
} from "@rigmark/domain";
import { CATALOGUE, FACTS, SCENARIO, SPEC } from "@rigmark/domain/testing";
import { SCOPES } from "@rigmark/results";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { agentEndpoint, OF_ATTEMPT, OF_HOST, OPEN } from "@/server/agent-endpoint";
import { answerAuth } from "@/server/auth";
import { domain } from "@/server/domain";
import { serveOneRun, WireAgent } from "./agent";

/** Next gives pages the headers of the request by itself; here they are those of the request that is asked. */
const asked = vi.hoisted(() => ({ headers: new Headers() }));
vi.mock("next/headers", () => ({ headers: async () => asked.headers }));

const ORIGIN = "http://127.0.0.1:4310";
const APP = join(import.meta.dirname, "../../src/app");
const dir = mkdtempSync(join(tmpdir(), "rigmark-routes-"));

const PEOPLE = ["owner", "admin", "member", "viewer", "otherTenant"] as const;
const TOKENS = ["tokenRead", "tokenQueue", "tokenPublish", "tokenAdmin"] as const;
const AGENTS = ["agent", "otherAgent", "revokedAgent"] as const;
const EVERYBODY = [...PEOPLE, "anonymous", ...TOKENS, ...AGENTS] as const;
type Who = (typeof EVERYBODY)[number];
type Statuses = Record<Who, number>;

const all = (status: number, others: Partial<Statuses> = {}) =>
  ({ ...Object.fromEntries(EVERYBODY.map((who) => [who, status])), ...others }) as Statuses;
const SESSIONS = { owner: 200, admin: 200, member: 200, viewer: 200 };

/** What each sends: people the cookie of their session, the others a bearer. */
const credentials = {} as Record<Who, Record<string, string>>;
let cluster: Cluster;
let workspace: string;
let runId: string;
let attemptId: string;
const slugs = { link: "", private: "", badge: "" };

interface Row {
  /** Behind the origin. */
  path: () => string;
  body?: () => unknown;
  headers?: () => Record<string, string>;
  /** Status for each. With 400 and 409 a route refuses what somebody sent who may ask. */
  wanted: Statuses;
}

const report = (form: string): Record<string, Row> => ({
  [`GET /r/[slug]/${form}`]: { path: () => `/r/${slugs.link}/${form}`, wanted: all(200) },
  [`GET /r/[slug]/${form} of a private report`]: {
    path: () => `/r/${slugs.private}/${form}`,
    wanted: all(404, SESSIONS),
  },
});
const ofAgent = (name: string, status: number, otherAgent: number, body: () => unknown = () => ({})) => ({
  [`${name.split(" ")[0]} /api/agent/v1/${name.split(" ")[1]}`]: {
    path: () =>
      `/api/agent/v1/${name.split(" ")[1]?.replace("*", attemptId).replace("*", "journal").replace("*", "0")}`,
    body,
    // A removed host is told so.
    wanted: all(401, { agent: status, otherAgent, revokedAgent: 403 }),
  },
});

/** Each route, what it is asked, and what each kind of caller gets. */
const CASES: Record<string, Row> = {
  "GET /api/health": { path: () => "/api/health", wanted: all(200) },
  "GET /docs/index.json": { path: () => "/docs/index.json", wanted: all(200) },
  "GET /install.sh": { path: () => "/install.sh", wanted: all(200) },
  "GET /dl/[file]": { path: () => "/dl/SHA256SUMS", wanted: all(200) },
  "GET /dl/[file] that is not offered": { path: () => "/dl/..%2Fkeys", wanted: all(404) },
  "GET /badge/[file]": { path: () => `/badge/${slugs.badge}.svg`, wanted: all(200) },
  "GET /badge/[file] of nobody": { path: () => `/badge/${"-".repeat(22)}.svg`, wanted: all(404) },
  "GET /explore/servers/csv": { path: () => "/explore/servers/csv", wanted: all(200) },
  "GET /explore/[scenario]/csv that no public report has": {
    path: () => "/explore/nothing/csv",
    wanted: all(404),
  },
  ...report("json"),
  ...report("md"),
  ...report("badge.svg"),
  ...report("oembed"),
  ...report("og.png"),
  "GET /oembed": { path: () => `/oembed?url=${ORIGIN}/r/${slugs.link}`, wanted: all(200) },
  "GET /oembed of a private report": {
    path: () => `/oembed?url=${ORIGIN}/r/${slugs.private}`,
    wanted: all(404, SESSIONS),
  },
  "GET /w/[workspace]/export": {
    path: () => `/w/${workspace}/export`,
    wanted: all(401, { owner: 200, admin: 200, member: 403, viewer: 403, otherTenant: 404 }),
  },
  // By the table of packages/api: here that no bearer opens it, and that a page of another site does not either.
  "GET /api/trpc/[trpc]": {
    path: () =>
      `/api/trpc/run.get?input=${encodeURIComponent(JSON.stringify({ json: { workspace, runId } }))}`,
    wanted: all(401, { ...SESSIONS, otherTenant: 404 }),
  },
  "POST /api/trpc/[trpc]": {
    path: () => "/api/trpc/run.cancel",
    body: () => ({ json: { workspace, runId } }),
    wanted: all(401, { owner: 200, admin: 200, member: 200, viewer: 403, otherTenant: 404 }),
  },
  "POST /api/trpc/[trpc] from a page of another site": {
    path: () => "/api/trpc/run.cancel",
    body: () => ({ json: { workspace, runId } }),
    headers: () => ({ origin: "https://evil.example" }),
    wanted: all(403),
  },
  // By the table of packages/api, route by route: here that no session of a browser opens it.
  "GET /api/v1/[...path]": {
    path: () => `/api/v1/runs/${runId}`,
    wanted: all(401, { tokenRead: 200, tokenQueue: 200, tokenPublish: 200, tokenAdmin: 200 }),
  },
  ...Object.fromEntries(
    ["POST", "PUT", "PATCH", "DELETE", "OPTIONS"].map((method) => [
      `${method} /api/v1/[...path]`,
      { path: () => `/api/v1/workspaces/${workspace}/nothing`, wanted: all(404) },
    ]),
  ),
  // The library's own; who is signed in is what it says.
  "GET /api/auth/[...all]": { path: () => "/api/auth/get-session", wanted: all(200) },
  "POST /api/auth/[...all]": { path: () => "/api/auth/sign-in/email", body: () => ({}), wanted: all(400) },
  ...Object.fromEntries(
    Object.keys(OPEN).map((name) => [
      `${name.split(" ")[0]} /api/agent/v1/${name.split(" ")[1]}`,
      { path: () => `/api/agent/v1/${name.split(" ")[1]}`, body: () => ({}), wanted: all(400) },
    ]),
  ),
  ...ofAgent("PUT host/facts", 200, 200, () => FACTS),
  ...ofAgent("PUT host/catalogue", 200, 200, () => CATALOGUE),
  ...ofAgent("POST lease", 400, 400),
  ...ofAgent("POST attempts/*/start", 409, 404, () => ({ attempt_no: 1 })),
  ...ofAgent("POST attempts/*/heartbeat", 409, 404, () => ({ attempt_no: 1, state: "measuring", t_us: 1 })),
  ...ofAgent("PUT attempts/*/streams/*/chunks/*", 400, 400),
  ...ofAgent("POST attempts/*/finish", 400, 400),
};

/** The route files of the app, by the address that each is for. */
const modules = Object.fromEntries(
  globSync("**/route.{ts,tsx}", { cwd: APP }).map((file) => [
    `/${file.replace(/\/route\.tsx?$/, "")}`.replace(/\/\([^/]+\)/g, ""),
    file,
  ]),
);

type Handler = (request: Request, context: { params: Promise<Record<string, unknown>> }) => Promise<Response>;

/** What Next takes from an address: `[slug]` is a part of it, `[...path]` all that follow. */
function paramsOf(pattern: string, path: string): Record<string, string | string[]> {
  const params: Record<string, string | string[]> = {};
  const parts = new URL(path, ORIGIN).pathname.split("/");
  for (const [place, part] of pattern.split("/").entries()) {
    const rest = /^\[\.\.\.(\w+)\]$/.exec(part)?.[1];
    const one = /^\[(\w+)\]$/.exec(part)?.[1];
    if (rest) params[rest] = parts.slice(place);
    else if (one) params[one] = decodeURIComponent(parts[place] ?? "");
  }
  return params;
}

/** Asks as Next does: the file whose pattern the path has. */
async function ask(method: string, pattern: string, path: string, who: Who, row: Row): Promise<number> {
  const handlers = (await import(join(APP, modules[pattern] ?? ""))) as Record<string, Handler>;
  const body = row.body?.();
  const request = new Request(`${ORIGIN}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(method === "GET" ? {} : { origin: ORIGIN }),
      ...credentials[who],
      ...row.headers?.(),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  asked.headers = request.headers;
  const response = await handlers[method]?.(request, { params: Promise.resolve(paramsOf(pattern, path)) });
  await response?.arrayBuffer();
  return response?.status ?? 0;
}

/** `GET /r/[slug]/json of a private report`: method and address. */
const parse = (name: string) => {
  const [method = "", path = ""] = name.split(" ");
  return { method, path, pattern: path.startsWith("/api/agent/v1/") ? "/api/agent/v1/[...path]" : path };
};

async function signUp(name: string): Promise<{ cookie: string; userId: string }> {
  const response = await answerAuth(
    new Request(`${ORIGIN}/api/auth/sign-up/email`, {
      method: "POST",
      headers: { origin: ORIGIN, "content-type": "application/json" },
      body: JSON.stringify({ name, email: `${name}@example.org`, password: "a long password" }),
    }),
  );
  const cookie = response.headers
    .getSetCookie()
    .map((c) => c.split(";")[0])
    .join("; ");
  return { cookie, userId: (await response.json()).user.id };
}

async function host(userId: string, workspace: string, name: string): Promise<WireAgent> {
  const ctx = domain().as({ kind: "user", userId, name: "Ada", email: "owner@example.org" });
  const { key } = await createEnrollment({ ctx, input: { workspace, name } });
  const agent = new WireAgent(ORIGIN, (request) =>
    agentEndpoint(domain(), request, new URL(request.url).pathname.replace("/api/agent/v1/", "").split("/")),
  );
  await agent.enroll(key);
  await agent.openSession();
  await agent.describe();
  return agent;
}

beforeAll(async () => {
  cluster = await startCluster();
  vi.stubEnv("DATABASE_URL", await createTestDatabase(cluster.url));
  vi.stubEnv("PUBLIC_URL", ORIGIN);
  vi.stubEnv("AUTH_SECRET", "x".repeat(32));
  vi.stubEnv("LOG_LEVEL", "silent");
  vi.stubEnv("SIGN_UP", "open");
  vi.stubEnv("STATE_DIR", dir);
  vi.stubEnv("RELEASE_DIR", dir);
  writeFileSync(join(dir, "SHA256SUMS"), `${"0".repeat(64)}  rigmark-x86_64-unknown-linux-musl.tar.gz\n`);
  const ids = {} as Record<Who, string>;
  for (const who of PEOPLE) {
    const { cookie, userId } = await signUp(who);
    credentials[who] = { cookie };
    ids[who] = userId;
  }
  credentials.anonymous = {};
  const ctx = domain().as({ kind: "user", userId: ids.owner, name: "owner", email: "owner@example.org" });
  const mine = (await listWorkspaces({ ctx, input: {} }))[0];
  workspace = mine?.slug ?? "";
  for (const role of ["admin", "member", "viewer"] as const)
    await domain().db.prisma.member.create({
      data: { workspace_id: mine?.workspace_id ?? "", user_id: ids[role], role },
    });
  for (const scope of SCOPES) {
    const who = `token${scope[0]?.toUpperCase()}${scope.slice(1)}` as Who;
    const input = { workspace: null, name: scope, scopes: [scope], days: 30 as const };
    credentials[who] = { authorization: `Bearer ${(await createToken({ ctx, input })).token}` };
  }
  for (const who of AGENTS) {
    const agent = await host(ids.owner, workspace, who);
    credentials[who] = { authorization: `Bearer ${agent.session}` };
    if (who === "agent") {
      runId = (await createRun({ ctx, input: { workspace, hostId: agent.hostId, spec: SPEC } })).run_id;
      attemptId = (await serveOneRun(agent, {})).attempt_id;
      slugs.badge =
        (
          await createBadge({
            ctx,
            input: {
              ...{ workspace, hostId: agent.hostId, scenario: SCENARIO.id },
              ...{ label: "epoll", relativeTo: null },
            },
          })
        ).url.match(/([\w-]{22})\.svg$/)?.[1] ?? "";
    }
    if (who === "revokedAgent") await revokeHost({ ctx, input: { workspace, hostId: agent.hostId } });
  }
  for (const visibility of ["link", "private"] as const)
    slugs[visibility] = (
      await createReport({ ctx, input: { workspace, runId, showHostName: false, visibility } })
    ).slug;
});
afterAll(async () => {
  await domain().close();
  await cluster?.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe("each HTTP route", () => {
  it("is in the table, with each of its methods", async () => {
    const agents = [OPEN, OF_HOST].flatMap((routes) => Object.keys(routes));
    const routes = [
      ...agents,
      ...Object.keys(OF_ATTEMPT).map((name) => name.replace(" ", " attempts/*/")),
    ].map((name) => name.replace(" ", " /api/agent/v1/"));
    for (const [pattern, file] of Object.entries(modules)) {
      if (pattern === "/api/agent/v1/[...path]") continue;
      const handlers = await import(join(APP, file));
      for (const name of Object.keys(handlers)) if (/^[A-Z]+$/.test(name)) routes.push(`${name} ${pattern}`);
    }
    const rows = new Set(Object.keys(CASES).map((name) => name.split(" ").slice(0, 2).join(" ")));
    expect([...rows].sort()).toEqual(routes.sort());
  });

  it.each(Object.entries(CASES))("%s lets in who may and nobody else", async (name, row) => {
    const { method, pattern } = parse(name);
    const got: Partial<Statuses> = {};
    for (const who of EVERYBODY) got[who] = await ask(method, pattern, row.path(), who, row);
    expect(got).toEqual(row.wanted);
  });
});
