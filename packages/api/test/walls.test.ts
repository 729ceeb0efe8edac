import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appRouter } from "../src/index";
import { type House, makeHouse, SPEC, type Who } from "./house";

type Answer = "ok" | "UNAUTHORIZED" | "NOT_FOUND" | "FORBIDDEN" | "CONFLICT" | "BAD_REQUEST";

const TENANT: Record<Who, Answer> = {
  owner: "ok",
  member: "ok",
  otherTenant: "NOT_FOUND",
  anonymous: "UNAUTHORIZED",
  agent: "UNAUTHORIZED",
};
const OWNERS: Record<Who, Answer> = { ...TENANT, member: "FORBIDDEN" };
const PEOPLE: Record<Who, Answer> = { ...TENANT, otherTenant: "ok" };
const ANYBODY: Record<Who, Answer> = { ...PEOPLE, anonymous: "ok", agent: "ok" };
const WRONG_TOKEN: Record<Who, Answer> = {
  ...PEOPLE,
  owner: "CONFLICT",
  member: "CONFLICT",
  otherTenant: "CONFLICT",
};

let house: House;

/** What each procedure is asked, and what each kind of caller gets. In order: what ends things stands last. */
const CASES: Record<string, { input: () => object | undefined; wanted: Record<Who, Answer> }> = {
  "account.me": { input: () => undefined, wanted: ANYBODY },
  "setup.status": { input: () => ({ token: "rgmc_wrong" }), wanted: ANYBODY },
  "setup.firstReport": { input: () => undefined, wanted: ANYBODY },
  "setup.claim": { input: () => ({ token: "rgmc_wrong" }), wanted: WRONG_TOKEN },
  "workspace.list": { input: () => undefined, wanted: PEOPLE },
  "workspace.get": { input: () => house.ws, wanted: TENANT },
  "host.list": { input: () => house.ws, wanted: TENANT },
  "host.get": { input: () => house.host, wanted: TENANT },
  "host.createEnrollment": { input: () => house.ws, wanted: TENANT },
  "host.enrollmentStatus": { input: () => house.enrollment, wanted: TENANT },
  "host.watchEnrollment": { input: () => house.enrollment, wanted: TENANT },
  "host.rename": { input: () => ({ ...house.host, name: "renamed" }), wanted: TENANT },
  "server.list": { input: () => house.ws, wanted: TENANT },
  "server.get": { input: () => ({ ...house.ws, server: "epoll" }), wanted: TENANT },
  "run.options": { input: () => house.host, wanted: TENANT },
  "run.create": { input: () => ({ ...house.host, spec: SPEC }), wanted: TENANT },
  "run.list": { input: () => house.ws, wanted: TENANT },
  "run.get": { input: () => house.run, wanted: TENANT },
  "run.series": { input: () => house.run, wanted: TENANT },
  "run.curves": { input: () => house.run, wanted: TENANT },
  "run.logs": { input: () => house.run, wanted: TENANT },
  "run.raw": { input: () => ({ ...house.run, trialId: randomUUID() }), wanted: TENANT },
  "run.watch": { input: () => house.run, wanted: TENANT },
  "run.cancel": { input: () => house.run, wanted: TENANT },
  "report.create": { input: () => house.run, wanted: TENANT },
  "report.list": { input: () => house.ws, wanted: TENANT },
  "report.bySlug": { input: () => ({ slug: house.reportSlug }), wanted: ANYBODY },
  "report.revoke": { input: () => house.report, wanted: TENANT },
  "host.revoke": { input: () => house.host, wanted: OWNERS },
};

async function ask(who: Who, path: string, input: object | undefined): Promise<Answer> {
  const [entity = "", verb = ""] = path.split(".");
  try {
    const answer = await house.caller(who)[entity]?.[verb]?.(input);
    if (typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer) {
      await (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    }
    return "ok";
  } catch (error) {
    return (error as { code: Answer }).code;
  }
}

beforeAll(async () => {
  house = await makeHouse();
});
afterAll(() => house?.close());

describe("each procedure", () => {
  it("is in the table", () => {
    expect(Object.keys(CASES).sort()).toEqual(Object.keys(appRouter._def.procedures).sort());
  });

  it("leaks nothing of a foreign workspace through ids inside one's own", async () => {
    const mine = { workspace: house.otherSlug };
    const tries: [string, object][] = [
      ...["host.get", "run.options"].map((path): [string, object] => [path, house.host]),
      ["host.rename", { ...house.host, name: "x" }],
      ["host.revoke", house.host],
      ...["run.get", "run.series", "run.curves", "run.logs", "run.cancel", "run.watch", "report.create"].map(
        (path): [string, object] => [path, house.run],
      ),
      ["run.raw", { ...house.run, trialId: randomUUID() }],
      ["run.create", { ...house.host, spec: SPEC }],
      ["report.revoke", house.report],
      ["host.enrollmentStatus", house.enrollment],
    ];
    for (const [path, input] of tries) {
      expect(await ask("otherTenant", path, { ...input, ...mine }), path).toBe("NOT_FOUND");
    }
  });

  it("puts no foreign run into a report, whatever its place, and takes one form of its runs", async () => {
    const { workspace, runId } = house.run;
    const share = (who: Who, more: object) => ask(who, "report.create", { workspace, ...more });
    expect(await share("owner", { runIds: [runId] })).toBe("ok");
    for (const runIds of [
      [runId, randomUUID()],
      [randomUUID(), runId],
    ])
      expect(await share("owner", { runIds })).toBe("NOT_FOUND");
    const mine = { workspace: house.otherSlug, runIds: [runId] };
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

  it.each(Object.entries(CASES))("%s keeps to its walls", async (path, { input, wanted }) => {
    const got: Partial<Record<Who, Answer>> = {};
    for (const who of ["anonymous", "agent", "otherTenant", "member", "owner"] as const) {
      got[who] = await ask(who, path, input());
    }
    expect(got).toEqual(wanted);
  });

  it("says in one sentence what was wrong with its input", async () => {
    const bad = { ...house.host, spec: { ...SPEC, repeats: 0 } };
    expect(await ask("owner", "run.create", bad)).toBe("BAD_REQUEST");
    expect(await ask("owner", "run.get", { ...house.ws, runId: "not-an-id" })).toBe("BAD_REQUEST");
  });
});
