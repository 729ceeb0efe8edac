import { randomUUID } from "node:crypto";
import { type DomainError, exportWorkspace } from "@rigmark/domain";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { toTrpc } from "../src/error";
import { appRouter } from "../src/index";
import {
  EVERYBODY,
  type Fixture,
  makeFixture,
  OWN_ADDRESS,
  SCHEDULE,
  SPEC,
  WEBHOOK,
  type Who,
} from "./fixture";

type Outcome = "ok" | "UNAUTHORIZED" | "NOT_FOUND" | "FORBIDDEN" | "CONFLICT" | "BAD_REQUEST";

const TENANT: Record<Who, Outcome> = {
  owner: "ok",
  admin: "ok",
  member: "ok",
  viewer: "ok",
  otherTenant: "NOT_FOUND",
  anonymous: "UNAUTHORIZED",
  agent: "UNAUTHORIZED",
  tokenRead: "ok",
  tokenQueue: "ok",
  tokenPublish: "ok",
  tokenAdmin: "ok",
  workspaceToken: "ok",
};
/** Members and above; tokens need the scope `queue`. */
const QUEUE: Record<Who, Outcome> = {
  ...TENANT,
  viewer: "FORBIDDEN",
  tokenRead: "FORBIDDEN",
  tokenPublish: "FORBIDDEN",
};
/** Admins and owners; tokens need the scope `admin`. */
const ADMINS: Record<Who, Outcome> = {
  ...QUEUE,
  member: "FORBIDDEN",
  tokenQueue: "FORBIDDEN",
  workspaceToken: "FORBIDDEN",
};
const NO_TOKEN = {
  tokenRead: "FORBIDDEN",
  tokenQueue: "FORBIDDEN",
  tokenPublish: "FORBIDDEN",
  tokenAdmin: "FORBIDDEN",
  workspaceToken: "FORBIDDEN",
} as const;
/** No token may. */
const BROWSER: Record<Who, Outcome> = { ...TENANT, ...NO_TOKEN };
const ADMINS_IN_BROWSER: Record<Who, Outcome> = { ...ADMINS, ...NO_TOKEN };
const OWNERS_IN_BROWSER: Record<Who, Outcome> = { ...ADMINS_IN_BROWSER, admin: "FORBIDDEN" };
/** Whoever may finds nothing there: the run of these tests has no result. */
const notFound = (wanted: Record<Who, Outcome>) =>
  Object.fromEntries(
    Object.entries(wanted).map(([who, outcome]) => [who, outcome === "ok" ? "NOT_FOUND" : outcome]),
  ) as Record<Who, Outcome>;
const PEOPLE: Record<Who, Outcome> = { ...TENANT, otherTenant: "ok" };
const ANYBODY: Record<Who, Outcome> = { ...PEOPLE, anonymous: "ok", agent: "ok" };
const WRONG_TOKEN: Record<Who, Outcome> = {
  ...PEOPLE,
  owner: "CONFLICT",
  admin: "CONFLICT",
  member: "CONFLICT",
  viewer: "CONFLICT",
  otherTenant: "CONFLICT",
  tokenRead: "UNAUTHORIZED",
  tokenQueue: "UNAUTHORIZED",
  tokenPublish: "UNAUTHORIZED",
  tokenAdmin: "UNAUTHORIZED",
  workspaceToken: "UNAUTHORIZED",
};
const PEOPLE_IN_BROWSER: Record<Who, Outcome> = { ...BROWSER, otherTenant: "ok" };
const { spec: _, ...TIMES } = SCHEDULE;
const NEW_TOKEN = { name: "ci", scopes: ["read"], days: 30 };
const device = async () => ({ userCode: (await fixture.makeDevice()).userCode });

let fixture: Fixture;

/** What each procedure is asked, and what each kind of caller gets. In order: what ends things stands last. */
const CASES: Record<
  string,
  { input: () => object | undefined | Promise<object>; wanted: Record<Who, Outcome> }
> = {
  "account.me": { input: () => undefined, wanted: ANYBODY },
  "account.sessions": { input: () => undefined, wanted: PEOPLE_IN_BROWSER },
  "account.endSessions": { input: () => ({ sessionId: null }), wanted: PEOPLE_IN_BROWSER },
  "account.export": { input: () => undefined, wanted: PEOPLE_IN_BROWSER },
  // They did not sign in within the last hour.
  "account.delete": { input: () => ({ email: "ada@example.org" }), wanted: { ...WRONG_TOKEN, ...NO_TOKEN } },
  "setup.status": { input: () => ({ token: "rgmc_wrong" }), wanted: ANYBODY },
  "setup.firstReport": { input: () => undefined, wanted: ANYBODY },
  "setup.claim": { input: () => ({ token: "rgmc_wrong" }), wanted: WRONG_TOKEN },
  "workspace.list": { input: () => undefined, wanted: PEOPLE },
  "workspace.places": { input: () => undefined, wanted: PEOPLE },
  "workspace.get": { input: () => fixture.ws, wanted: TENANT },
  "workspace.create": { input: () => ({ name: "Lab" }), wanted: PEOPLE_IN_BROWSER },
  "workspace.rename": { input: () => ({ ...fixture.ws, name: "Renamed" }), wanted: ADMINS_IN_BROWSER },
  "workspace.retention": { input: () => ({ ...fixture.ws, days: 30 }), wanted: ADMINS },
  "workspace.setRetention": { input: () => ({ ...fixture.ws, days: null }), wanted: ADMINS_IN_BROWSER },
  "workspace.deleted": { input: () => undefined, wanted: PEOPLE_IN_BROWSER },
  // It is the installation's own.
  "workspace.delete": {
    input: () => ({ ...fixture.ws, name: "Renamed" }),
    wanted: { ...OWNERS_IN_BROWSER, owner: "CONFLICT" },
  },
  // It is not deleted, or not theirs.
  "workspace.restore": {
    input: () => ({ workspaceId: fixture.workspaceId }),
    wanted: {
      ...OWNERS_IN_BROWSER,
      ...{ owner: "NOT_FOUND", admin: "NOT_FOUND", member: "NOT_FOUND", viewer: "NOT_FOUND" },
    },
  },
  "network.get": { input: () => fixture.ws, wanted: TENANT },
  "network.open": {
    input: () => ({ ...fixture.ws, address: OWN_ADDRESS, first: "aarch64-unknown-linux-musl" }),
    wanted: OWNERS_IN_BROWSER,
  },
  // It is on this machine only.
  "network.close": { input: () => fixture.ws, wanted: { ...OWNERS_IN_BROWSER, owner: "CONFLICT" } },
  "member.list": { input: () => fixture.ws, wanted: TENANT },
  "member.changeRole": {
    input: async () => ({ ...fixture.ws, userId: await fixture.makeMember(), role: "viewer" }),
    wanted: ADMINS_IN_BROWSER,
  },
  "member.remove": {
    input: async () => ({ ...fixture.ws, userId: await fixture.makeMember() }),
    wanted: ADMINS_IN_BROWSER,
  },
  "invitation.list": { input: () => fixture.ws, wanted: ADMINS },
  "invitation.create": {
    input: () => ({ ...fixture.ws, role: "member", email: null }),
    wanted: ADMINS_IN_BROWSER,
  },
  "invitation.get": { input: () => ({ token: "rgmi_wrong" }), wanted: ANYBODY },
  "invitation.accept": {
    input: () => ({ token: "rgmi_wrong" }),
    wanted: { ...WRONG_TOKEN, ...NO_TOKEN },
  },
  "invitation.revoke": { input: () => fixture.invitation, wanted: ADMINS_IN_BROWSER },
  "audit.list": { input: () => fixture.ws, wanted: ADMINS },
  "host.list": { input: () => fixture.ws, wanted: TENANT },
  "host.get": { input: () => fixture.host, wanted: TENANT },
  "host.createEnrollment": { input: () => fixture.ws, wanted: ADMINS },
  "host.enrollmentStatus": { input: () => fixture.enrollment, wanted: ADMINS },
  "host.watchEnrollment": { input: () => fixture.enrollment, wanted: ADMINS },
  "host.rename": { input: () => ({ ...fixture.host, name: "renamed" }), wanted: ADMINS },
  "history.list": { input: () => fixture.ws, wanted: TENANT },
  "history.get": {
    input: () => ({ ...fixture.host, scenario: "plaintext-ab", label: "nginx" }),
    wanted: notFound(TENANT),
  },
  "history.createBadge": {
    input: () => ({ ...fixture.host, scenario: "plaintext-ab", label: "nginx", relativeTo: null }),
    wanted: notFound(QUEUE),
  },
  "history.deleteBadge": {
    input: () => ({ ...fixture.ws, badgeId: randomUUID() }),
    wanted: notFound(QUEUE),
  },
  "server.list": { input: () => fixture.ws, wanted: TENANT },
  "server.get": { input: () => ({ ...fixture.ws, server: "epoll" }), wanted: TENANT },
  "run.options": { input: () => fixture.host, wanted: TENANT },
  "run.create": { input: () => ({ ...fixture.host, spec: SPEC }), wanted: QUEUE },
  "run.list": { input: () => fixture.ws, wanted: TENANT },
  "run.filters": { input: () => fixture.ws, wanted: TENANT },
  "run.compare": { input: () => ({ ...fixture.ws, runIds: [fixture.run.runId] }), wanted: TENANT },
  "run.compareCurves": {
    input: () => ({ ...fixture.ws, runIds: [fixture.run.runId] }),
    wanted: TENANT,
  },
  "run.get": { input: () => fixture.run, wanted: TENANT },
  "run.series": { input: () => fixture.run, wanted: TENANT },
  "run.curves": { input: () => fixture.run, wanted: TENANT },
  "run.logs": { input: () => fixture.run, wanted: TENANT },
  "run.raw": { input: () => ({ ...fixture.run, trialId: randomUUID() }), wanted: TENANT },
  "run.watch": { input: () => fixture.run, wanted: TENANT },
  "run.cancel": { input: () => fixture.run, wanted: QUEUE },
  "run.edit": { input: () => ({ ...fixture.run, note: "quiet host" }), wanted: QUEUE },
  "run.delete": { input: () => fixture.runs, wanted: ADMINS },
  "run.deleted": { input: () => fixture.ws, wanted: TENANT },
  "run.restore": { input: () => fixture.runs, wanted: ADMINS },
  "schedule.create": { input: () => ({ ...fixture.host, ...SCHEDULE }), wanted: QUEUE },
  "schedule.list": { input: () => fixture.ws, wanted: TENANT },
  "schedule.get": { input: () => fixture.schedule, wanted: TENANT },
  "schedule.change": { input: () => ({ ...fixture.schedule, ...TIMES }), wanted: QUEUE },
  "schedule.queue": { input: () => fixture.schedule, wanted: QUEUE },
  "schedule.pause": { input: () => fixture.schedule, wanted: QUEUE },
  "schedule.resume": { input: () => fixture.schedule, wanted: QUEUE },
  "schedule.delete": { input: () => fixture.makeSchedule(), wanted: QUEUE },
  "alert.get": { input: () => fixture.ws, wanted: BROWSER },
  "alert.list": { input: () => fixture.ws, wanted: TENANT },
  "alert.setMail": { input: () => ({ ...fixture.ws, on: true }), wanted: BROWSER },
  "alert.testMail": { input: () => fixture.ws, wanted: BROWSER },
  "alert.createWebhook": { input: () => ({ ...fixture.ws, ...WEBHOOK }), wanted: ADMINS_IN_BROWSER },
  "alert.testWebhook": { input: () => fixture.webhook, wanted: ADMINS_IN_BROWSER },
  // The owner's turn is the last one.
  "alert.deleteWebhook": { input: () => fixture.makeWebhook(), wanted: ADMINS_IN_BROWSER },
  "report.create": { input: () => fixture.run, wanted: QUEUE },
  "report.list": { input: () => fixture.ws, wanted: TENANT },
  "report.bySlug": { input: () => ({ slug: fixture.reportSlug }), wanted: ANYBODY },
  "report.explore": { input: () => ({ filter: { q: "epoll" } }), wanted: ANYBODY },
  "report.leaderboards": { input: () => undefined, wanted: ANYBODY },
  "report.leaderboardMatrix": { input: () => ({ by: "plaintext-ab" }), wanted: ANYBODY },
  // No report of these tests is public.
  "report.leaderboard": { input: () => ({ scenario: "plaintext-ab" }), wanted: notFound(ANYBODY) },
  "report.changeAccess": { input: () => ({ ...fixture.report, visibility: "link" }), wanted: QUEUE },
  "report.revoke": { input: () => fixture.report, wanted: QUEUE },
  "token.list": { input: () => fixture.ws, wanted: BROWSER },
  "token.create": { input: () => ({ ...fixture.ws, ...NEW_TOKEN }), wanted: ADMINS_IN_BROWSER },
  "token.revoke": {
    input: () => ({ ...fixture.ws, tokenId: fixture.workspaceTokenId }),
    wanted: ADMINS_IN_BROWSER,
  },
  "device.get": { input: device, wanted: PEOPLE_IN_BROWSER },
  "device.approve": {
    input: async () => ({ ...(await device()), workspace: null, scopes: ["read"], days: 30 }),
    wanted: PEOPLE_IN_BROWSER,
  },
  "device.deny": { input: device, wanted: PEOPLE_IN_BROWSER },
  "host.revoke": { input: () => fixture.host, wanted: ADMINS },
};

async function ask(who: Who, path: string, input: object | undefined): Promise<Outcome> {
  const [entity = "", verb = ""] = path.split(".");
  try {
    const result = await fixture.caller(who)[entity]?.[verb]?.(input);
    if (typeof result === "object" && result !== null && Symbol.asyncIterator in result) {
      await (result as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    }
    return "ok";
  } catch (error) {
    return (error as { code: Outcome }).code;
  }
}

beforeAll(async () => {
  fixture = await makeFixture();
});
afterAll(() => fixture?.close());

describe("each procedure", () => {
  it("is in the table", () => {
    expect(Object.keys(CASES).sort()).toEqual(Object.keys(appRouter._def.procedures).sort());
  });

  it("leaks nothing of a foreign workspace through ids inside one's own", async () => {
    const mine = { workspace: fixture.otherSlug };
    const tries: [string, object][] = [
      ...["host.get", "run.options"].map((path): [string, object] => [path, fixture.host]),
      ["host.rename", { ...fixture.host, name: "x" }],
      ["host.revoke", fixture.host],
      ...["run.get", "run.series", "run.curves", "run.logs", "run.cancel", "run.watch", "report.create"].map(
        (path): [string, object] => [path, fixture.run],
      ),
      ["run.compareCurves", fixture.runs],
      ["run.raw", { ...fixture.run, trialId: randomUUID() }],
      ["run.edit", { ...fixture.run, title: "mine" }],
      ["run.delete", fixture.runs],
      ["run.restore", fixture.runs],
      ["run.create", { ...fixture.host, spec: SPEC }],
      ["schedule.create", { ...fixture.host, ...SCHEDULE }],
      ["schedule.change", { ...fixture.schedule, ...TIMES }],
      ...["get", "queue", "pause", "resume", "delete"].map((verb): [string, object] => [
        `schedule.${verb}`,
        fixture.schedule,
      ]),
      ["report.revoke", fixture.report],
      ["report.changeAccess", { ...fixture.report, visibility: "public" }],
      ["alert.testWebhook", fixture.webhook],
      ["alert.deleteWebhook", fixture.webhook],
      ["token.revoke", { tokenId: fixture.workspaceTokenId }],
      ["host.enrollmentStatus", fixture.enrollment],
      ["invitation.revoke", fixture.invitation],
      ["member.changeRole", { userId: await fixture.makeMember(), role: "viewer" }],
      ["member.remove", { userId: await fixture.makeMember() }],
    ];
    for (const [path, input] of tries) {
      expect(await ask("otherTenant", path, { ...input, ...mine }), path).toBe("NOT_FOUND");
    }
  });

  it("puts no foreign run into a report, whatever its place, and takes one form of its runs", async () => {
    const { workspace, runId } = fixture.run;
    const share = (who: Who, more: object) => ask(who, "report.create", { workspace, ...more });
    expect(await share("owner", { runIds: [runId] })).toBe("ok");
    for (const runIds of [
      [runId, randomUUID()],
      [randomUUID(), runId],
    ])
      expect(await share("owner", { runIds })).toBe("NOT_FOUND");
    const mine = { workspace: fixture.otherSlug, runIds: [runId] };
    expect(await ask("otherTenant", "report.create", mine)).toBe("NOT_FOUND");
    for (const wrong of [
      {},
      { runIds: [] },
      { runId, runIds: [runId] },
      { runIds: [runId, runId] },
      { runIds: Array.from({ length: 9 }, () => randomUUID()) },
      { runIds: ["not-an-id"] },
    ])
      expect(await share("owner", wrong), JSON.stringify(wrong)).toBe("BAD_REQUEST");
  });

  it.each(Object.entries(CASES))("%s lets in who may and nobody else", async (path, { input, wanted }) => {
    const got: Partial<Record<Who, Outcome>> = {};
    for (const who of EVERYBODY) {
      got[who] = await ask(who, path, await input());
    }
    expect(got).toEqual(wanted);
  });

  it("is beside one route with a session, which exports a workspace to its admins and owners", async () => {
    const got: Partial<Record<Who, Outcome>> = {};
    for (const who of EVERYBODY)
      got[who] = await exportWorkspace({ ctx: fixture.contextOf(who), input: fixture.ws })
        .next()
        .then(
          (): Outcome => "ok",
          (error: unknown) => toTrpc(error as DomainError).code as Outcome,
        );
    expect(got).toEqual(ADMINS_IN_BROWSER);
  });

  it("says in one sentence what was wrong with its input", async () => {
    const bad = { ...fixture.host, spec: { ...SPEC, repeats: 0 } };
    expect(await ask("owner", "run.create", bad)).toBe("BAD_REQUEST");
    expect(await ask("owner", "run.get", { ...fixture.ws, runId: "not-an-id" })).toBe("BAD_REQUEST");
  });
});
