import { MOST_SCHEDULES } from "@rigmark/results/schedule";
import { afterEach, describe, expect, it } from "vitest";
import {
  changeSchedule,
  createSchedule,
  deleteSchedule,
  deleteWorkspace,
  expireRuns,
  getRun,
  getSchedule,
  leaseAttempt,
  listRuns,
  listSchedules,
  pauseSchedule,
  queueDueRuns,
  queueSchedule,
  resumeSchedule,
} from "../src/index";
import { SPEC } from "../src/testing/index";
import { leaseRequest, useWorld } from "./world";

const world = useWorld();
const DAY_S = 86_400;
const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];

// The sweep sees all workspaces.
afterEach(() => world.domain.db.prisma.schedule.deleteMany());

/** A schedule that is due some minutes from now. */
async function scheduled(wait_h: 1 | 6 | 12 | 24 | 72 = 12) {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const now = world.system.now();
  const minute = (now.getUTCHours() * 60 + now.getUTCMinutes() + 5) % 1440;
  const { workspace } = ada;
  const times = { minute, days: EVERY_DAY, wait_h };
  const { schedule_id: scheduleId } = await createSchedule({
    ctx: ada.ctx,
    input: { workspace, hostId: agent.hostId, name: "nightly", ...times, spec: SPEC },
  });
  const input = { workspace, scheduleId };
  return {
    ...{ ada, agent, input },
    see: async () => (await listSchedules({ ctx: ada.ctx, input })).schedules[0],
    runs: async () => (await listRuns({ ctx: ada.ctx, input: { workspace, limit: 50 } })).runs,
    run: (runId: string) => getRun({ ctx: ada.ctx, input: { workspace, runId } }),
    sweepAfter: async (seconds: number) => {
      world.clock.advance(seconds);
      await expireRuns({ ctx: world.system });
      return queueDueRuns({ ctx: world.system });
    },
  };
}

describe("a schedule", () => {
  it("can get another name and other times, and stays paused where it was", async () => {
    const { ada, input, see, runs, sweepAfter } = await scheduled();
    const times = { minute: 0, days: [1], wait_h: 24 as const };
    const change = (name: string) => changeSchedule({ ctx: ada.ctx, input: { ...input, ...times, name } });
    await change("  weekly\n run ");
    expect(await see()).toMatchObject({ name: "weekly run", ...times });
    expect((await see())?.next_due_at).toMatch(/T00:00:00/);
    const due = Date.parse((await see())?.next_due_at ?? "");
    expect(await sweepAfter((due - world.system.now().getTime()) / 1000 + 60)).toBe(1);
    expect((await runs())[0]).toMatchObject({ title: "weekly run" });
    await pauseSchedule({ ctx: ada.ctx, input });
    await change("paused");
    expect(await see()).toMatchObject({ name: "paused", next_due_at: null });
    await expect(change(" ")).rejects.toMatchObject({ code: "invalid" });
  });

  it("queues its run when it is due, once for all processes, and each time in another order", async () => {
    const { see, runs, run, sweepAfter } = await scheduled(1);
    expect(await sweepAfter(0)).toBe(0);
    world.clock.advance(600);
    const sweeps = await Promise.all([1, 2, 3].map(() => queueDueRuns({ ctx: world.system })));
    expect(sweeps.reduce((sum, n) => sum + n)).toBe(1);
    const [first] = await runs();
    expect(await runs()).toHaveLength(1);
    expect(first).toMatchObject({ title: "nightly", state: "queued", requested_by: null });
    expect(await see()).toMatchObject({
      last_run: { run_id: first?.run_id, state: "queued" },
      last_skip: null,
    });
    expect(await sweepAfter(DAY_S)).toBe(1);
    const [second] = await runs();
    const specs = await Promise.all([first, second].map((r) => run(r?.run_id ?? "")));
    expect(specs[0]?.schedule).toEqual({ name: "nightly" });
    expect(specs[0]?.spec.seed).not.toBe(specs[1]?.spec.seed);
  });

  it("queues nothing while its run before is still queued, and says so", async () => {
    const { see, runs, sweepAfter } = await scheduled(72);
    expect(await sweepAfter(600)).toBe(1);
    expect(await sweepAfter(DAY_S)).toBe(0);
    expect(await runs()).toHaveLength(1);
    expect(await see()).toMatchObject({ last_run: null });
    expect((await see())?.last_skip).toMatch(/^The run that was queued at .* UTC was still queued\.$/);
  });

  it("says what it queues and where, as it was saved, to its workspace only", async () => {
    const { ada, agent, input } = await scheduled();
    const eve = await world.person("Eve");
    expect(await getSchedule({ ctx: ada.ctx, input })).toEqual({
      ...{ schedule_id: input.scheduleId, name: "nightly", host_id: agent.hostId },
      spec: { ...SPEC, title: "nightly" },
    });
    const mine = { ...input, workspace: eve.workspace };
    await expect(getSchedule({ ctx: eve.ctx, input: mine })).rejects.toMatchObject({ code: "not_found" });
  });

  it("is queued at once by whoever asks, and that run is its last one", async () => {
    const { ada, input, see, runs, run, sweepAfter } = await scheduled(6);
    const before = await see();
    await pauseSchedule({ ctx: ada.ctx, input });
    const { run_id: first } = await queueSchedule({ ctx: ada.ctx, input });
    expect(await see()).toMatchObject({ last_run: { run_id: first, state: "queued" }, next_due_at: null });
    await resumeSchedule({ ctx: ada.ctx, input });
    const { run_id: second } = await queueSchedule({ ctx: ada.ctx, input });
    expect(await see()).toMatchObject({ last_run: { run_id: second }, next_due_at: before?.next_due_at });
    const [one, other] = await Promise.all([run(first), run(second)]);
    expect(one).toMatchObject({ title: "nightly", requested_by: "Ada", schedule: { name: "nightly" } });
    expect(one.spec.seed).not.toBe(other.spec.seed);
    // As any run of the schedule: the next one waits for its end, and it does not wait for ever.
    expect(await sweepAfter(600)).toBe(0);
    expect((await see())?.last_skip).toMatch(/ was still queued\.$/);
    await sweepAfter(6 * 3600);
    expect((await runs()).map(({ state }) => state)).toEqual(["cancelled", "cancelled"]);
    expect((await run(second)).error).toMatchObject({ code: "expired" });
  });

  it("is queued at once as a run is: by those who may, where there is room, on a host that can", async () => {
    const { ada, agent, input, see, runs } = await scheduled();
    const eve = await world.person("Eve");
    const at = (of: Partial<typeof input>, { ctx } = ada) =>
      queueSchedule({ ctx, input: { ...input, ...of } });
    await expect(at({}, eve)).rejects.toMatchObject({ code: "not_found" });
    await expect(at({ workspace: eve.workspace }, eve)).rejects.toMatchObject({ code: "not_found" });
    const { quotas } = world.system.config;
    const { queuedRuns } = quotas;
    quotas.queuedRuns = 0;
    await expect(at({})).rejects.toThrow("its limit of 0 runs in the queue;");
    quotas.queuedRuns = queuedRuns;
    await world.domain.db.prisma.host.updateMany({
      where: { host_id: agent.hostId },
      data: { revoked_at: new Date() },
    });
    await expect(at({})).rejects.toThrow("This host was removed; choose another one.");
    expect(await runs()).toEqual([]);
    expect(await see()).toMatchObject({ last_due_at: null, last_run: null });
  });

  it("lets a run expire whose host is away, and gives it to nobody after that", async () => {
    const { agent, runs, run, sweepAfter } = await scheduled(6);
    await sweepAfter(600);
    const [queued] = await runs();
    const runId = queued?.run_id ?? "";
    const until = (await run(runId)).expires_at ?? "";
    world.clock.advance(7 * 3600);
    expect((await leaseAttempt({ ctx: agent.ctx, input: leaseRequest() })).lease).toBe(null);
    await world.domain.db.prisma.host.updateMany({ data: { last_seen_at: null } });
    await sweepAfter(0);
    const words = `The host was offline until ${until.slice(0, 16).replace("T", " ")} UTC; the run expired.`;
    expect(await run(runId)).toMatchObject({ state: "cancelled", final: true, error: { code: "expired" } });
    expect((await run(runId)).error?.message).toContain(words);
  });

  it("does not make up for what was missed, by the app or in a pause", async () => {
    const { ada, input, see, runs, sweepAfter } = await scheduled();
    expect(await sweepAfter(3 * DAY_S)).toBe(0);
    expect(await see()).toMatchObject({ last_skip: "The app was not running at that time." });
    await pauseSchedule({ ctx: ada.ctx, input });
    expect(await sweepAfter(2 * DAY_S)).toBe(0);
    expect((await see())?.next_due_at).toBe(null);
    await resumeSchedule({ ctx: ada.ctx, input });
    expect(await sweepAfter(0)).toBe(0);
    expect(Date.parse((await see())?.next_due_at ?? "")).toBeGreaterThan(world.system.now().getTime());
    expect(await runs()).toEqual([]);
  });

  it("says why the host cannot do it any more, and goes on", async () => {
    const { agent, see, sweepAfter } = await scheduled();
    await world.domain.db.prisma.host.updateMany({
      where: { host_id: agent.hostId },
      data: { revoked_at: new Date() },
    });
    expect(await sweepAfter(600)).toBe(0);
    expect(await see()).toMatchObject({ last_skip: "This host was removed; choose another one." });
  });

  it("queues nothing in a workspace that was deleted", async () => {
    const { ada, sweepAfter } = await scheduled();
    await deleteWorkspace({ ctx: ada.ctx, input: { workspace: ada.workspace, name: "Ada" } });
    expect(await sweepAfter(600)).toBe(0);
  });

  it("leaves its runs when it is deleted", async () => {
    const { ada, input, runs, run, sweepAfter } = await scheduled();
    await sweepAfter(600);
    await deleteSchedule({ ctx: ada.ctx, input });
    expect(await sweepAfter(DAY_S)).toBe(0);
    const [left] = await runs();
    expect(left).toBeDefined();
    expect((await run(left?.run_id ?? "")).schedule).toEqual({ name: null });
  });

  it("is one of at most fifty, also of those that are made at once", async () => {
    const { ada, agent, input } = await scheduled();
    const { workspace } = input;
    const times = { minute: 0, days: [1], wait_h: 12 as const };
    const made = await Promise.allSettled(
      Array.from({ length: 60 }, () =>
        createSchedule({
          ctx: ada.ctx,
          input: { workspace, hostId: agent.hostId, name: "x", ...times, spec: SPEC },
        }),
      ),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(MOST_SCHEDULES - 1);
  });

  it("is refused for what the host cannot do", async () => {
    const { ada, agent } = await scheduled();
    const spec = { ...SPEC, scenarios: ["nothing"] };
    const times = { minute: 0, days: [1], wait_h: 12 as const };
    await expect(
      createSchedule({
        ctx: ada.ctx,
        input: { workspace: ada.workspace, hostId: agent.hostId, name: "x", ...times, spec },
      }),
    ).rejects.toThrow("The host has no scenario “nothing”");
  });
});
