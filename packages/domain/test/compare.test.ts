import { randomUUID } from "node:crypto";
import type { PlanEntry } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import {
  cancelRun,
  compareRuns,
  createReport,
  createRun,
  findReportBySlug,
  getRun,
  listRuns,
  revokeReport,
} from "../src/index";
import { planHash } from "../src/internal/run/plan-parameters";
import { FACTS, type JournalOptions, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();

type Agent = Awaited<ReturnType<typeof world.host>>;

type Otherwise = Partial<Pick<JournalOptions, "facts" | "scenarios">> & {
  /** Of its epoll: what the plan says otherwise. */
  epoll?: Partial<PlanEntry>;
};

/** Of those of the two entries that have a rate. */
async function measure(
  owner: Person,
  agent: Agent,
  rates: JournalOptions["rates"],
  { epoll, ...otherwise }: Otherwise = {},
): Promise<string> {
  const entries = SPEC.entries.filter(({ label }) => label in rates);
  const { runId, lease } = await leasedRun(owner, agent, { ...SPEC, entries, baseline: null });
  await beginAttempt(agent.ctx, lease);
  const how = { facts: FACTS, scenarios: [SCENARIO], ...otherwise };
  const records = writeJournal(lease, { ...how, rates });
  for (const { kind, data } of records)
    if (kind === "plan")
      for (const entry of data.entries) if (entry.label === "epoll") Object.assign(entry, epoll);
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  return runId;
}

const compare = (owner: Person, runIds: string[], baseline?: string) =>
  compareRuns({
    ctx: owner.ctx,
    input: { workspace: owner.workspace, runIds, ...(baseline && { baseline }) },
  });

/** Between the runs, of the entry that tests change. */
const epollIn = async (owner: Person, runs: string[]) => {
  const view = await compare(owner, runs);
  const epoll = view.series.findIndex((s) => s.name === "epoll");
  return view.scenarios[0]?.between.find((p) => p.series === epoll);
};

describe("runs beside each other", () => {
  it("have their series by label, and ratios to each run's own baseline", async () => {
    const ada = await world.person("Ada");
    const [pi, vm] = [await world.host(ada), await world.host(ada)];
    const a = await measure(ada, pi, { nginx: 1_000, epoll: 2_000 });
    const b = await measure(ada, vm, { nginx: 50_000, epoll: 75_000 });
    const view = await compare(ada, [a, b]);
    expect(view.runs.map((r) => r.run_id)).toEqual([a, b]);
    expect(view.series.map((s) => s.name).sort()).toEqual(["epoll", "nginx"]);
    const epoll = view.series.findIndex((s) => s.name === "epoll");
    const [scenario] = view.scenarios;
    const ratios = scenario?.rows.map((row) => row.cells[epoll]?.ratio?.estimate ?? null);
    expect(ratios?.[0]).toBeCloseTo(2, 1);
    expect(ratios?.[1]).toBeCloseTo(1.5, 1);
    // Figures of two hosts are no race.
    expect(scenario?.between).toEqual([]);
  });

  it("can be read from any entry", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const run = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const view = await compare(ada, [run], "epoll");
    expect(view.series[view.baseline ?? -1]?.name).toBe("epoll");
    const nginx = view.series.findIndex((s) => s.name === "nginx");
    expect(view.scenarios[0]?.rows[0]?.cells[nginx]?.ratio?.estimate).toBeCloseTo(0.5, 1);
    const report = await createReport({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, runIds: [run], baseline: "epoll", showHostName: false },
    });
    const { snapshot } = await findReportBySlug({ ctx: ada.ctx, input: { slug: report.slug } });
    const [frozen] = snapshot.runs;
    expect(frozen?.entries.find((entry) => entry.baseline)?.label).toBe("epoll");
    expect(frozen?.summary?.sentence).toContain("nginx");
    expect(frozen?.spec.baseline).toBe("epoll");
    expect(frozen?.repeat_command).toContain(" --baseline=epoll ");
    expect(frozen?.repeat_command).toContain(` --expect-plan=${frozen && planHash(frozen).slice(0, 12)} `);
    const key = frozen?.entries.find((entry) => entry.label === "nginx")?.key;
    const other = frozen?.summary?.scenarios[0]?.entries.find((entry) => entry.entry_key === key);
    expect(other?.ratio?.estimate).toBeCloseTo(0.5, 1);
    await expect(compare(ada, [run], "nobody")).rejects.toThrow("None of these runs has an entry “nobody”");
  });

  it("have no baseline where they lack the chosen one", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const both = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const alone = await measure(ada, agent, { nginx: 1_000 });
    const { scenarios, baseline } = await compare(ada, [both, alone], "epoll");
    const found = scenarios[0]?.rows.map(({ cells }) => cells.findIndex((cell) => cell?.baseline));
    expect(found).toEqual([baseline, -1]);
  });

  it("on one host have a verdict between them only with the host's history", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const before = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const after = await measure(ada, agent, { nginx: 1_000, epoll: 4_000 });
    const of = () => epollIn(ada, [before, after]);
    const without = await of();
    expect(without).toMatchObject({ a: 0, b: 1, verdict: null, code: "too-little-history" });
    expect(without?.ratio_of_medians).toBeCloseTo(2, 1);
    for (const level of [1_990, 2_010, 2_000, 1_985, 2_015])
      await measure(ada, agent, { nginx: 1_000, epoll: level });
    expect(await of()).toMatchObject({ verdict: "faster", code: null });
  });

  it("say of an entry that it was built from other files in one of them, also where they are compared", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const [first, other] = ["a".repeat(64), "b".repeat(64)];
    const commit = "c".repeat(40);
    const rates = { nginx: 1_000, epoll: 2_000 };
    const before = await measure(ada, agent, rates, { epoll: { content_hash: first } });
    const revision = { commit, dirty: false };
    const after = await measure(ada, agent, rates, { epoll: { content_hash: other, revision } });
    const { notes, series, scenarios } = await compare(ada, [before, after]);
    expect(notes).toEqual([
      "“epoll” ran from different files: content aaaaaaaaaaaa in run 1, commit cccccccccccc in run 2.",
    ]);
    const changed = Object.fromEntries(series.map((each) => [each.name, each.changed]));
    expect(changed).toEqual({ nginx: [[], []], epoll: [[], ["build"]] });
    const between = scenarios[0]?.between.map((pair) => [series[pair.series]?.name, pair.changed]);
    expect(Object.fromEntries(between ?? [])).toEqual({ nginx: [], epoll: ["build"] });
  });

  it("count a history once, also where their entries begin in several of them", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    for (const level of [1_990, 2_010]) await measure(ada, agent, { nginx: 1_000, epoll: level });
    const compared = [
      await measure(ada, agent, { nginx: 1_000 }),
      await measure(ada, agent, { epoll: 2_000 }),
      await measure(ada, agent, { nginx: 1_000, epoll: 4_000 }),
    ];
    expect(await epollIn(ada, compared)).toMatchObject({ a: 1, b: 2, code: "too-little-history" });
  });

  it("are judged by the history of their own environment", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    for (const level of [1_990, 2_010, 2_000, 1_985, 2_015])
      await measure(ada, agent, { nginx: 1_000, epoll: level });
    const tuned = { facts: { ...FACTS, governor: "performance" } };
    const compared = [
      await measure(ada, agent, { nginx: 1_000 }),
      await measure(ada, agent, { epoll: 2_000 }, tuned),
      await measure(ada, agent, { nginx: 1_000, epoll: 4_000 }, tuned),
    ];
    expect(await epollIn(ada, compared)).toMatchObject({ a: 1, b: 2, code: "too-little-history" });
  });

  it("are seen from the oldest of them, however they were ticked", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const before = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const after = await measure(ada, agent, { nginx: 1_000, epoll: 4_000 });
    const pair = await epollIn(ada, [after, before]);
    expect(pair).toMatchObject({ a: 1, b: 0 });
    expect(pair?.ratio_of_medians).toBeCloseTo(2, 1);
  });

  it("may have one that is not whole: it is named, and not compared with the others", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const whole = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const rates = { nginx: 1_000, epoll: 4_000 };
    const records = writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates });
    const chunks = packChunks(records, 50).slice(0, 2);
    for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
    const live = await compare(ada, [whole, runId]);
    expect(live.notes).toEqual([`Run 2 (“${SPEC.title}”) is still measuring, so its figures can change.`]);
    expect(live.scenarios[0]?.rows).toHaveLength(2);
    expect(live.scenarios[0]?.between).toEqual([]);
    await endAttempt(agent.ctx, lease, chunks, "cancelled");
    const ended = await compare(ada, [whole, runId]);
    expect(ended.runs.map((run) => run.state)).toEqual(["succeeded", "cancelled"]);
    expect(ended.notes).toEqual([`Run 2 (“${SPEC.title}”) was cancelled; what it had measured is shown.`]);
    expect(ended.scenarios[0]?.between).toEqual([]);
  });

  it("are judged by runs of the same load, whatever it was called", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const before = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const after = await measure(ada, agent, { nginx: 1_000, epoll: 4_000 });
    const busier = { ...SCENARIO, load: { kind: "closed", connections: 64, keep_alive: true } } as const;
    for (const level of [1_990, 2_010, 2_000, 1_985, 2_015])
      await measure(ada, agent, { nginx: 1_000, epoll: level }, { scenarios: [busier] });
    expect(await epollIn(ada, [before, after])).toMatchObject({
      code: "too-little-history",
      history_runs: 0,
    });
  });

  it("may have one that has not begun: it is named, and the others are compared", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const run = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const { run_id } = await createRun({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, hostId: agent.hostId, spec: SPEC },
    });
    const view = await compare(ada, [run, run_id]);
    expect(view.scenarios).toHaveLength(1);
    expect(view.notes).toEqual([expect.stringContaining("has no result yet.")]);
    await cancelRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId: run_id } });
    expect((await compare(ada, [run, run_id])).notes).toEqual([
      expect.stringContaining("ended without a result."),
    ]);
    const share = createReport({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, runIds: [run_id], showHostName: false },
    });
    await expect(share).rejects.toThrow("so there is nothing to share");
  });

  it("say why there is nothing to see between them", async () => {
    const ada = await world.person("Ada");
    const [pi, vm] = [await world.host(ada), await world.host(ada)];
    const nginx = await measure(ada, pi, { nginx: 1_000 });
    const other = { ...SCENARIO, id: "other", title: "Other" };
    const epoll = await measure(ada, vm, { epoll: 2_000 }, { scenarios: [other] });
    expect((await compare(ada, [nginx, epoll])).notes).toEqual([
      "No two of these runs share a scenario, so each is shown by itself.",
      "No two of these runs share an entry, so none is compared between them.",
    ]);
    const busier = { ...SCENARIO, load: { kind: "closed", connections: 64, keep_alive: true } } as const;
    const again = await measure(ada, pi, { nginx: 1_000 }, { scenarios: [busier] });
    expect((await compare(ada, [nginx, again])).notes).toEqual([
      `“${SCENARIO.title}” is not the same load in all of these runs (other requests, connections or rate), so each load is listed for itself.`,
    ]);
    expect((await compare(ada, [nginx])).notes).toEqual([]);
  });

  it("are those of one workspace", async () => {
    const [ada, eve] = [await world.person("Ada"), await world.person("Eve")];
    const run = await measure(ada, await world.host(ada), { nginx: 1_000, epoll: 2_000 });
    await expect(compare(eve, [run])).rejects.toThrow("There is no such run");
    await expect(compare(ada, [randomUUID()])).rejects.toThrow("There is no such run in this workspace.");
    // A link may be older than its runs: the others are compared.
    const foreign = await measure(eve, await world.host(eve), { nginx: 1_000 });
    const { runs, gone } = await compare(ada, [run, foreign]);
    expect([runs.map((r) => r.run_id), gone]).toEqual([[run], [foreign]]);
    // Ids mean the same in capital letters.
    expect((await compare(ada, [run, run.toUpperCase()])).runs.map((r) => r.run_id)).toEqual([run]);
  });
});

it("the list of runs has a sketch of each that ended: ratios of its first scenario", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const runId = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  const { runs } = await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 10 } });
  const sketch = runs.find((r) => r.run_id === runId)?.sketch;
  expect(sketch).toMatchObject({ scenario: SCENARIO.id, metric: "requests_per_s" });
  expect(sketch?.entries.find((e) => e.label === "epoll")?.ratio?.estimate).toBeCloseTo(2, 1);
  expect(sketch?.entries.find((e) => e.baseline)?.ratio).toBe(null);
});

describe("a run of a report beside one's own", () => {
  it("is shown as the report keeps it, from any baseline, to whoever may read the report", async () => {
    const [ada, bob] = [await world.person("Ada"), await world.person("Bob")];
    const [pi, vm] = [await world.host(ada), await world.host(bob)];
    const hers = await measure(ada, pi, { nginx: 1_000, epoll: 2_000 });
    const his = await measure(bob, vm, { nginx: 50_000, epoll: 75_000 });
    const report = await createReport({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, runIds: [hers], showHostName: false },
    });
    const name = `${report.slug}.1`;
    const of = (reports: string[], baseline?: string) =>
      compareRuns({
        ctx: bob.ctx,
        input: { workspace: bob.workspace, runIds: [his], reports, ...(baseline && { baseline }) },
      });
    const view = await of([name]);
    expect(view.runs.map((r) => r.report)).toEqual([null, name]);
    expect(view.runs[1]?.host.host_id).toBeNull();
    const epoll = view.series.findIndex((s) => s.name === "epoll");
    const ratios = view.scenarios[0]?.rows.map((row) => row.cells[epoll]?.ratio?.estimate ?? null);
    expect(ratios?.[0]).toBeCloseTo(1.5, 1);
    expect(ratios?.[1]).toBeCloseTo(2, 1);
    expect(view.scenarios[0]?.between).toEqual([]);
    const other = await of([name], "epoll");
    const nginx = other.series.findIndex((s) => s.name === "nginx");
    expect(other.scenarios[0]?.rows[1]?.cells[nginx]?.ratio?.estimate).toBeCloseTo(0.5, 1);
    await expect(of([`${report.slug}.2`])).rejects.toThrow("This report has no run 2");
    await revokeReport({ ctx: ada.ctx, input: { workspace: ada.workspace, reportId: report.report_id } });
    await expect(of([name])).rejects.toThrow("This report is gone");
  });

  it("is named by the run that repeats it", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const first = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const { slug } = await createReport({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, runIds: [first], showHostName: false },
    });
    const again = (repeats: string) =>
      createRun({
        ctx: ada.ctx,
        input: { workspace: ada.workspace, hostId: agent.hostId, spec: SPEC, repeats },
      });
    const { run_id } = await again(`${slug}.1`);
    const run = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId: run_id } });
    expect(run.repeats).toBe(`${slug}.1`);
    const gone = `${"x".repeat(22)}.1`;
    await expect(again(gone)).rejects.toThrow("This report is gone");
    // Nobody reads a report for a host that is not there.
    const nowhere = { workspace: ada.workspace, hostId: randomUUID(), spec: SPEC, repeats: gone };
    await expect(createRun({ ctx: ada.ctx, input: nowhere })).rejects.toThrow("There is no such host");
  });
});
