import { randomUUID } from "node:crypto";
import { packChunk, totalsOf } from "@rigmark/domain/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROUTES } from "../src/v1/index";
import { EVERYBODY, type Fixture, makeFixture, SPEC, type Who } from "./fixture";
import { apiOf } from "./v1";

const READ: Record<Who, number> = {
  owner: 200,
  admin: 200,
  member: 200,
  viewer: 200,
  otherTenant: 404,
  anonymous: 401,
  agent: 401,
  tokenRead: 200,
  tokenQueue: 200,
  tokenPublish: 200,
  tokenAdmin: 200,
  workspaceToken: 200,
};
/** The same, but `status` for members and above who have the scope `queue`. */
const queue = (status: number): Record<Who, number> => ({
  ...READ,
  ...{ owner: status, admin: status, member: status },
  ...{ tokenQueue: status, tokenAdmin: status, workspaceToken: status },
  ...{ viewer: 403, tokenRead: 403, tokenPublish: 403 },
});
/** For members and above who have the scope `publish`. */
const PUBLISH: Record<Who, number> = {
  ...READ,
  ...{ viewer: 403, tokenRead: 403, tokenQueue: 403, workspaceToken: 403 },
};
const anybody = (status: number) => Object.fromEntries(EVERYBODY.map((who) => [who, status]));

/** A file whose run ended before it had a plan. */
const BEGIN = {
  run_id: randomUUID(),
  attempt_id: randomUUID(),
  attempt_no: 1,
  wall_us: 1_700_000_000_000_000,
  boot_id: "boot",
  agent_version: "0.1.0",
  spec: SPEC,
};
const CHUNK = packChunk(0, [{ v: 1, seq: 0, t_us: 1, kind: "begin", data: BEGIN }]);

let fixture: Fixture;

interface Case {
  path: () => string;
  body?: () => unknown | Promise<unknown>;
  headers?: () => Record<string, string>;
  wanted: Record<string, number>;
}
const inWorkspace = (rest: string) => () => `/workspaces/${fixture.ws.workspace}/${rest}`;

/** What each route is asked, and what each kind of caller gets. In order: what ends things stands last. */
const CASES: Record<string, Case> = {
  getMe: { path: () => "/me", wanted: { ...READ, otherTenant: 200 } },
  listHosts: { path: inWorkspace("hosts"), wanted: READ },
  getHost: { path: () => `/hosts/${fixture.host.hostId}`, wanted: READ },
  getCatalogue: { path: () => `/hosts/${fixture.host.hostId}/catalogue`, wanted: READ },
  listRuns: { path: inWorkspace("runs"), wanted: READ },
  getRun: { path: () => `/runs/${fixture.run.runId}`, wanted: READ },
  getResults: { path: () => `/runs/${fixture.run.runId}/results`, wanted: READ },
  getSnapshot: { path: () => `/runs/${fixture.run.runId}/snapshot`, wanted: READ },
  getJournal: { path: () => `/runs/${fixture.run.runId}/journal`, wanted: READ },
  listTrials: { path: () => `/runs/${fixture.run.runId}/trials`, wanted: READ },
  getSamples: {
    path: () => `/runs/${fixture.run.runId}/trials/${fixture.trialId}/samples`,
    wanted: READ,
  },
  listSeries: { path: inWorkspace("series?label=epoll&scenario=static-1k-ab"), wanted: READ },
  queueRun: {
    path: inWorkspace("runs"),
    body: () => ({ host: fixture.host.hostId, spec: SPEC }),
    wanted: queue(201),
  },
  cancelRun: { path: () => `/runs/${fixture.run.runId}/cancel`, wanted: queue(202) },
  listReports: { path: inWorkspace("reports"), wanted: READ },
  getReport: { path: () => `/reports/${fixture.reportSlug}`, wanted: READ },
  createReport: {
    path: inWorkspace("reports"),
    body: () => ({ run_ids: [fixture.run.runId] }),
    wanted: queue(201),
  },
  startDevice: { path: () => "/device", body: () => ({ client: "a test" }), wanted: anybody(200) },
  collectDeviceToken: {
    path: () => "/device/token",
    body: async () => ({ device_code: (await fixture.makeDevice()).deviceCode }),
    wanted: anybody(202),
  },
  createPublication: {
    path: inWorkspace("publications"),
    body: () => ({ begin: BEGIN, facts: null, title: null }),
    wanted: PUBLISH,
  },
  putPublicationChunk: {
    path: inWorkspace(`publications/${BEGIN.run_id}/streams/journal/chunks/0`),
    headers: () => ({ "x-rigmark-sha256": CHUNK.sha256, "x-rigmark-records": "1" }),
    body: () => CHUNK.body,
    wanted: PUBLISH,
  },
  finishPublication: {
    path: inWorkspace(`publications/${BEGIN.run_id}/finish`),
    body: () => ({ streams: { journal: totalsOf([CHUNK]), raw: totalsOf([]) }, partial: true }),
    wanted: PUBLISH,
  },
  revokeReport: { path: () => `/reports/${fixture.reportSlug}`, wanted: queue(204) },
  // Ends the token of each who asks.
  revokeOwnToken: {
    path: () => "/me/token",
    wanted: { ...READ, ...anybody(204), anonymous: 401, agent: 401 },
  },
};

beforeAll(async () => {
  fixture = await makeFixture();
});
afterAll(() => fixture?.close());

describe("each route of the public API", () => {
  it("is in the table", () => {
    expect(Object.keys(CASES).sort()).toEqual(ROUTES.map((route) => route.name).sort());
  });

  // Before the table, at whose end the tokens are revoked.
  it("names the scope that a token lacks", async () => {
    const path = `/api/v1/workspaces/${fixture.ws.workspace}/runs`;
    const body = { host: fixture.host.hostId, spec: SPEC };
    const refused = await apiOf(fixture)("POST", path, { token: fixture.bearer.tokenRead, body });
    expect(refused.body).toMatchObject({ code: "forbidden", status: 403 });
    expect(refused.body.detail).toContain("lacks the scope `queue`; it has read");
  });

  it.each(Object.entries(CASES))(
    "%s lets in who may and nobody else",
    async (name, { path, body, headers, wanted }) => {
      const route = ROUTES.find((r) => r.name === name);
      const got: Partial<Record<Who, number>> = {};
      for (const who of EVERYBODY) {
        const sent = { token: fixture.bearer[who], body: await body?.(), headers: headers?.() ?? {} };
        got[who] = (await apiOf(fixture)(route?.method ?? "", `/api/v1${path()}`, sent)).status;
      }
      expect(got).toEqual(wanted);
    },
  );
});
