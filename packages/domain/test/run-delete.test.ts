import { randomUUID } from "node:crypto";
import { sql } from "@rigmark/db";
import { describe, expect, it } from "vitest";
import {
  type Ctx,
  compareRuns,
  createReport,
  createRun,
  deleteRuns,
  describeJournal,
  describeResults,
  describeRun,
  describeRuns,
  describeSamples,
  describeSnapshot,
  describeTrials,
  findReportBySlug,
  getRawFiles,
  getRun,
  getRunCurves,
  getRunSeries,
  getServer,
  getWorkspace,
  listDeletedRuns,
  listReports,
  listRunFilters,
  listRunLogs,
  listRuns,
  listSeries,
  purgeRuns,
  restoreRuns,
  watchRun,
} from "../src/index";
import { SPEC } from "../src/testing/index";
import { finishedRun, type Person, useWorld } from "./world";

const world = useWorld();
const DAY_S = 86_400;

async function measured() {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const runId = await finishedRun(ada, agent);
  const input = { workspace: ada.workspace, runIds: [runId] };
  return {
    ...{ ada, agent, runId, input },
    remove: (ctx: Ctx = ada.ctx) => deleteRuns({ ctx, input }),
    restore: (ctx: Ctx = ada.ctx) => restoreRuns({ ctx, input }),
    titles: async () => {
      const { runs } = await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 5 } });
      return runs.map((run) => run.title);
    },
  };
}

async function memberOf(owner: Person): Promise<Person> {
  const { workspace } = owner;
  const { workspace_id } = await getWorkspace({ ctx: owner.ctx, input: { workspace } });
  const { ctx } = await world.person("Bob");
  const user_id = ctx.actor.kind === "user" ? ctx.actor.userId : "";
  await world.domain.db.prisma.member.create({ data: { workspace_id, user_id, role: "member" } });
  return { ctx, workspace };
}

describe("a deleted run", () => {
  it("is out of every list, and each reader says until when it can be restored", async () => {
    const { ada, runId, remove, titles } = await measured();
    const { workspace } = ada;
    const { trials } = await getRun({ ctx: ada.ctx, input: { workspace, runId } });
    const trialId = trials[0]?.trial_id ?? "";
    const { kept_until } = await remove();
    const { ctx } = ada;
    const here = { workspace, runId };
    const readers: Record<string, () => Promise<unknown>> = {
      getRun: () => getRun({ ctx, input: here }),
      getRunSeries: () => getRunSeries({ ctx, input: { ...here, maxPoints: 100 } }),
      getRunCurves: () => getRunCurves({ ctx, input: here }),
      listRunLogs: () => listRunLogs({ ctx, input: { ...here, limit: 5 } }),
      getRawFiles: () => getRawFiles({ ctx, input: { ...here, trialId } }),
      watchRun: () => watchRun({ ctx, input: here }).next(),
      compareRuns: () => compareRuns({ ctx, input: { workspace, runIds: [runId] } }),
      createReport: () => createReport({ ctx, input: { ...here, showHostName: false } }),
      describeRun: () => describeRun({ ctx, input: { runId } }),
      describeResults: () => describeResults({ ctx, input: { runId } }),
      describeSnapshot: () => describeSnapshot({ ctx, input: { runId } }),
      describeJournal: () => describeJournal({ ctx, input: { runId } }),
      describeTrials: () => describeTrials({ ctx, input: { runId, limit: 5 } }),
      describeSamples: () => describeSamples({ ctx, input: { runId, trialId, points: 10 } }),
    };
    const until = `${kept_until.slice(0, 16).replace("T", " ")} UTC`;
    for (const [name, read] of Object.entries(readers))
      await expect(read(), name).rejects.toMatchObject({
        code: "gone",
        message: `This run was deleted. It can be restored until ${until}.`,
      });
    expect(await titles()).toEqual([]);
    const page = { limit: 5 };
    expect((await describeRuns({ ctx, input: { workspace, ...page } })).items).toEqual([]);
    const series = { workspace, ...page, label: "epoll", scenario: "static-1k-ab" };
    expect((await listSeries({ ctx, input: series })).items).toEqual([]);
    expect((await listRunFilters({ ctx, input: { workspace } })).filters).toEqual([]);
    const { best, conformance } = await getServer({ ctx, input: { workspace, server: "epoll" } });
    expect({ best, conformance }).toEqual({ best: [], conformance: [] });
    expect((await getWorkspace({ ctx, input: { workspace } })).runs).toBe(0);
  });

  it("is left out of a comparison with others, which says so", async () => {
    const { ada, agent, runId, remove } = await measured();
    const { workspace } = ada;
    const other = await finishedRun(ada, agent);
    const { kept_until } = await remove();
    const nowhere = randomUUID();
    const compare = () =>
      compareRuns({ ctx: ada.ctx, input: { workspace, runIds: [runId, other, nowhere] } });
    const seen = await compare();
    expect(seen.runs.map((run) => run.run_id)).toEqual([other]);
    expect(seen.gone).toEqual([runId, nowhere]);
    const until = `${kept_until.slice(0, 16).replace("T", " ")} UTC`;
    expect(seen.notes.slice(0, 2)).toEqual([
      `“${SPEC.title}” (${runId.slice(0, 8)}) was deleted and is left out. It can be restored until ${until}.`,
      "A run of this link is not in this workspace and is left out.",
    ]);
    const chosen = await compareRuns({
      ctx: ada.ctx,
      input: { workspace, runIds: [runId, other], baseline: "only there" },
    });
    expect(chosen.baseline).toBe(null);
    expect(chosen.notes).toContain(
      "None of these runs has an entry “only there”: each run is compared with its own baseline.",
    );
    world.clock.advance(8 * DAY_S);
    expect((await compare()).notes[0]).toBe(
      "2 runs of this link are not in this workspace and are left out.",
    );
  });

  it("looks like none to other tenants", async () => {
    const { ada, runId, remove } = await measured();
    await remove();
    const eve = await world.person("Eve");
    const none = { code: "not_found" };
    await expect(describeRun({ ctx: eve.ctx, input: { runId } })).rejects.toMatchObject(none);
    const input = { workspace: ada.workspace, runId };
    await expect(getRun({ ctx: eve.ctx, input })).rejects.toMatchObject(none);
  });

  it("comes back as it was", async () => {
    const { ada, runId, input, remove, restore, titles } = await measured();
    const see = () => getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    const before = await see();
    await remove();
    const { runs } = await listDeletedRuns({ ctx: ada.ctx, input });
    expect(runs).toMatchObject([{ run_id: runId, title: SPEC.title }]);
    await restore();
    expect(await see()).toEqual({ ...before, host: expect.anything() });
    expect(await titles()).toEqual([SPEC.title]);
    expect((await listDeletedRuns({ ctx: ada.ctx, input })).runs).toEqual([]);
    // Once more changes nothing.
    await restore();
  });

  it("stays in the reports that were made of it, also when it is removed for good", async () => {
    const { ada, runId, remove, restore, titles } = await measured();
    const input = { workspace: ada.workspace, runId, showHostName: false };
    const { slug } = await createReport({ ctx: ada.ctx, input });
    const report = () => findReportBySlug({ ctx: world.anonymous, input: { slug } });
    const before = await report();
    await remove();
    expect(await report()).toEqual(before);
    world.clock.advance(7 * DAY_S - 60);
    await purgeRuns({ ctx: world.system });
    const gone = { ctx: ada.ctx, input: { runId } };
    await expect(describeRun(gone)).rejects.toMatchObject({ code: "gone" });
    world.clock.advance(61);
    await expect(describeRun(gone)).rejects.toMatchObject({ code: "not_found" });
    await expect(restore()).rejects.toMatchObject({ code: "not_found" });
    for (let removed = 1; removed > 0; ) removed = await purgeRuns({ ctx: world.system });
    const rows = await world.domain.db.query(
      sql`SELECT 1 FROM run WHERE run_id = ${runId} UNION ALL SELECT 1 FROM attempt WHERE run_id = ${runId}`,
    );
    expect(rows.rowCount).toBe(0);
    expect(await titles()).toEqual([]);
    expect(await report()).toEqual(before);
    const { reports } = await listReports({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    expect(reports).toMatchObject([{ slug, run_id: runId }]);
  });
});

describe("deleting runs", () => {
  it("is for owners; a member sees what became of the run", async () => {
    const { ada, runId, input, remove, restore } = await measured();
    const bob = await memberOf(ada);
    const refused = { code: "forbidden", message: expect.stringContaining("Only an admin or an owner") };
    await expect(remove(bob.ctx)).rejects.toMatchObject(refused);
    await remove();
    await expect(restore(bob.ctx)).rejects.toMatchObject(refused);
    const here = { workspace: ada.workspace, runId };
    await expect(getRun({ ctx: bob.ctx, input: here })).rejects.toMatchObject({ code: "gone" });
    expect((await listDeletedRuns({ ctx: bob.ctx, input })).runs).toHaveLength(1);
    await expect(remove(world.anonymous)).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("is for runs that have ended: of several all or none", async () => {
    const { ada, agent, runId, titles } = await measured();
    const { workspace } = ada;
    const queued = await createRun({
      ctx: ada.ctx,
      input: { workspace, hostId: agent.hostId, spec: { ...SPEC, title: "queued" } },
    });
    const both = { workspace, runIds: [runId, queued.run_id] };
    await expect(deleteRuns({ ctx: ada.ctx, input: both })).rejects.toMatchObject({
      code: "state",
      message: "Only a run that has ended can be deleted; cancel it first.",
    });
    expect(await titles()).toEqual(["queued", SPEC.title]);
    const unknown = { workspace, runIds: [runId, randomUUID()] };
    await expect(deleteRuns({ ctx: ada.ctx, input: unknown })).rejects.toMatchObject({ code: "not_found" });
    expect(await titles()).toHaveLength(2);
  });

  it("twice is deleting once: the second time gives no more days", async () => {
    const { remove } = await measured();
    const first = await remove();
    world.clock.advance(60);
    expect(await remove()).toEqual(first);
  });

  it("reaches no run of another workspace", async () => {
    const { input } = await measured();
    const eve = await world.person("Eve");
    const mine = { ...input, workspace: eve.workspace };
    await expect(deleteRuns({ ctx: eve.ctx, input: mine })).rejects.toMatchObject({ code: "not_found" });
    await expect(restoreRuns({ ctx: eve.ctx, input: mine })).rejects.toMatchObject({ code: "not_found" });
  });

  it("for good is the sweeper's", async () => {
    const { ada } = await measured();
    await expect(purgeRuns({ ctx: ada.ctx })).rejects.toMatchObject({ code: "forbidden" });
  });
});
