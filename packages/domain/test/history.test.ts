import { sql } from "@rigmark/db";
import { expect, it } from "vitest";
import { getHistory, listHistory, listSeries } from "../src/index";
import { FACTS, type JournalOptions, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();

type Agent = Awaited<ReturnType<typeof world.host>>;

async function measure(owner: Person, agent: Agent, rates: JournalOptions["rates"]): Promise<string> {
  const { runId, lease } = await leasedRun(owner, agent, SPEC);
  await beginAttempt(agent.ctx, lease);
  const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates }), 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  return runId;
}

const history = (owner: Person, agent: Agent, relativeTo?: string | null) =>
  getHistory({
    ctx: owner.ctx,
    input: {
      workspace: owner.workspace,
      hostId: agent.hostId,
      scenario: SCENARIO.id,
      label: "epoll",
      relativeTo,
    },
  });

it("a series has a point a run, and the change of a step with the run that began it", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const runs: string[] = [];
  // The host is half as fast in every other run; the ratio does not see it.
  for (let place = 0; place < 14; place += 1) {
    const host = place % 2 === 0 ? 1 : 2;
    const epoll = (place < 7 ? 2_000 : 3_000) + place;
    runs.push(await measure(ada, agent, { nginx: 1_000 * host, epoll: epoll * host }));
  }
  const view = await history(ada, agent);
  expect(view).toMatchObject({ relative_to: "nginx", others: ["nginx"], metric: "requests_per_s" });
  expect(view.points.map((point) => point.run_id)).toEqual(runs);
  expect(view.points[0]?.value).toBeCloseTo(2, 1);
  const [first] = view.points;
  expect(first && first.low !== null && first.high !== null && first.low <= first.high).toBe(true);
  expect(view.changes).toHaveLength(1);
  expect(view.changes[0]).toMatchObject({ at: 7, verdict: "faster" });
  expect(view.changes[0]?.ratio).toBeCloseTo(1.5, 1);
  const figures = await history(ada, agent, null);
  expect(figures.relative_to).toBe(null);
  expect(figures.points[1]?.value).toBeGreaterThan(3_500);
  expect((await history(ada, agent, "nobody")).points.every((point) => point.value === null)).toBe(true);
});

it("a ratio to the run's own baseline is the one that its interval is of, in older results too", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const runId = await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  const ofRun = sql`FROM attempt a
    WHERE a.attempt_id = x.attempt_id AND a.run_id = ${runId} AND x.label = 'epoll'`;
  const first = async () => {
    const [point] = (await history(ada, agent)).points;
    return point && { value: point.value, bars: point.low !== null };
  };
  // The medians would give another one.
  await world.domain.db.query(sql`UPDATE entry_result x SET figure = figure * 1.5 ${ofRun}`);
  expect(await first()).toEqual({ value: expect.closeTo(2, 1), bars: true });
  await world.domain.db.query(sql`UPDATE entry_result x SET brief = brief - 'estimate' ${ofRun}`);
  expect(await first()).toEqual({ value: expect.closeTo(2, 1), bars: true });
  await world.domain.db.query(sql`UPDATE entry_result x SET summary = summary - 'ratio' ${ofRun}`);
  expect(await first()).toEqual({ value: expect.closeTo(3, 1), bars: false });
});

it("other options of the entry, and of what it is compared with, are said at their run", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const runs: string[] = [];
  for (let place = 0; place < 16; place += 1)
    runs.push(await measure(ada, agent, { nginx: 1_000, epoll: (place < 7 ? 2_000 : 3_000) + place }));
  const rekey = async (from: number, label: string) => {
    for (const table of [sql`entry`, sql`entry_result`])
      await world.domain.db.query(
        sql`UPDATE ${table} x SET entry_key = 'another ' || x.label FROM attempt a
            WHERE a.attempt_id = x.attempt_id AND a.run_id = ANY (${runs.slice(from)}::uuid[]) AND x.label = ${label}`,
      );
  };
  await rekey(7, "epoll");
  await rekey(10, "nginx");
  const { points, changes } = await history(ada, agent);
  const places = (of: (point: (typeof points)[number]) => boolean) =>
    points.flatMap((point, place) => (of(point) ? place : []));
  expect(places((point) => point.entry_changed)).toEqual([7]);
  expect(places((point) => point.relative_changed)).toEqual([10]);
  expect(changes.map(({ sentence }) => sentence)).toEqual([
    expect.stringMatching(/ The build or the options of epoll changed at the same run\.$/),
  ]);
});

it("what was measured twice is listed, and belongs to one workspace", async () => {
  const [ada, eve] = [await world.person("Ada"), await world.person("Eve")];
  const agent = await world.host(ada);
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  const list = (person: Person) => listHistory({ ctx: person.ctx, input: { workspace: person.workspace } });
  expect(await list(ada)).toEqual({ series: [], next_cursor: null });
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  expect((await list(ada)).series.map((s) => [s.label, s.runs])).toEqual([
    ["epoll", 2],
    ["nginx", 2],
  ]);
  expect(await list(eve)).toEqual({ series: [], next_cursor: null });
  await expect(history(eve, agent)).rejects.toThrow();
});

it("what can be followed is listed by pages, and found by words of its names", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  // Each of these two runs has 250 entries more.
  for (const table of [sql`entry`, sql`entry_result`])
    await world.domain.db.query(
      sql`INSERT INTO ${table} SELECT (jsonb_populate_record(x, jsonb_build_object('entry_key', 'more ' || n, 'label', 'more ' || n))).*
          FROM ${table} x JOIN attempt a USING (workspace_id, attempt_id), generate_series(1, 250) n
          WHERE a.host_id = ${agent.hostId} AND x.label = 'epoll'`,
    );
  const list = (of: { q?: string; cursor?: string | null }) =>
    listHistory({ ctx: ada.ctx, input: { workspace: ada.workspace, ...of } });
  const pages: string[][] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof list>> = await list({ cursor });
    pages.push(page.series.map(({ label }) => label));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(pages.map((page) => page.length)).toEqual([100, 100, 52]);
  expect(new Set(pages.flat()).size).toBe(252);
  const found = async (q: string) => (await list({ q })).series.map(({ label }) => label);
  expect(await found(" 249  MORE ")).toEqual(["more 249"]);
  expect(await found(`nginx ${SCENARIO.id} ${FACTS.hostname}`)).toEqual(["nginx"]);
  expect(await found("nginx of another host")).toEqual([]);
  expect(await found("%")).toEqual([]);
  // What is found has pages of its own: the server of all of these is epoll.
  const first = await list({ q: "epoll" });
  const second = await list({ q: "epoll", cursor: first.next_cursor });
  expect([first.series.length, second.series.length]).toEqual([100, 100]);
  expect([...first.series, ...second.series].every(({ server }) => server === "epoll")).toBe(true);
  await expect(list({ cursor: "nonsense" })).rejects.toMatchObject({ code: "invalid" });
});

it("the series of the API has the bounds of its figures and ratios", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  await world.domain.db.query(
    sql`UPDATE entry_result SET summary = summary || '{"lower_bound": true, "ratio_bound": "at-least"}'::jsonb
        WHERE host_id = ${agent.hostId} AND label = 'epoll'`,
  );
  const boundsOf = async (label: string) => {
    const input = { workspace: ada.workspace, scenario: SCENARIO.id, label, limit: 5 };
    const { items } = await listSeries({ ctx: ada.ctx, input });
    return items.map(({ bound, ratio_bound }) => [bound, ratio_bound]);
  };
  expect(await boundsOf("epoll")).toEqual([["at-least", "at-least"]]);
  expect(await boundsOf("nginx")).toEqual([[null, null]]);
});
