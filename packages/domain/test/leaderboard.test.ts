import { sql } from "@rigmark/db";
import type { ReportSnapshot } from "@rigmark/results";
import { loadKey } from "@rigmark/results/load-key";
import { describe, expect, it } from "vitest";
import {
  changeReportAccess,
  createReport,
  findReportBySlug,
  getLeaderboard,
  getLeaderboardMatrix,
  listLeaderboards,
  revokeReport,
} from "../src/index";
import { loadOf } from "../src/report/internal/load-of";
import { judge, type StandingRow, titleOf } from "../src/report/internal/public-standings";
import { standingsOf } from "../src/report/internal/standings";
import { FACTS, type JournalOptions, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();

type Agent = Awaited<ReturnType<typeof world.host>>;

async function share(
  ada: Person,
  agent: Agent,
  rates: JournalOptions["rates"],
  visibility: "link" | "public" = "public",
  scenarios: JournalOptions["scenarios"] = [SCENARIO],
) {
  const entries = Object.keys(rates).map(
    (label) => SPEC.entries.find((entry) => entry.label === label) ?? { label, server: "epoll", options: {} },
  );
  const { runId, lease } = await leasedRun(ada, agent, { ...SPEC, entries });
  await beginAttempt(agent.ctx, lease);
  const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios, rates }), 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  const { report_id, slug } = await createReport({
    ctx: ada.ctx,
    input: { workspace: ada.workspace, runId, showHostName: false, visibility },
  });
  return { slug, at: { workspace: ada.workspace, reportId: report_id } };
}
/** What is public is read again after a second. */
const board = (filter = {}) => {
  world.clock.advance(2);
  return getLeaderboard({ ctx: world.anonymous, input: { scenario: SCENARIO.id, filter } });
};

describe("all servers under all scenarios", () => {
  it("are narrowed to what is chosen, and still offer the rest", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { at } = await share(ada, agent, { nginx: 1_000, epoll: 1_500 });
    world.clock.advance(2);
    const matrix = (filter: object) => getLeaderboardMatrix({ ctx: world.anonymous, input: { filter } });
    const choices = { entry: ["epoll"], scenario: [{ scenario: SCENARIO.id, title: SCENARIO.title }] };
    for (const filter of [
      {},
      { entry: [] },
      { entry: ["epoll"], scenario: [SCENARIO.id] },
      { q: "EPO  !another !" },
    ]) {
      const { rows, ...found } = await matrix(filter);
      expect(rows.map((row) => row.label)).toEqual(["epoll"]);
      expect(found.choices).toEqual(choices);
    }
    for (const filter of [
      { entry: ["another"] },
      { scenario: ["another"] },
      { q: "another" },
      { q: "epoll !POLL" },
    ])
      expect(await matrix(filter)).toMatchObject({ rows: [], scenarios: [], choices });
    await revokeReport({ ctx: ada.ctx, input: at });
  });

  it("offer only the architectures and CPUs that lead to a row", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const pi = await share(ada, agent, { nginx: 1_000, epoll: 2_000 });
    const xeon = await share(ada, agent, { nginx: 1_000, another: 2_000 });
    await world.domain.db.query(
      sql`UPDATE standing SET arch = 'x86_64', cpu = 'Xeon × 8' WHERE report_id = ${xeon.at.reportId}`,
    );
    world.clock.advance(2);
    const offered = async (filter: object) => {
      const matrix = await getLeaderboardMatrix({ ctx: world.anonymous, input: { filter } });
      return { archs: matrix.archs, cpus: matrix.cpus };
    };
    const { archs, cpus } = await offered({});
    expect([archs.length, cpus.length]).toEqual([2, 2]);
    expect(await offered({ arch: "x86_64" })).toEqual({ archs, cpus: ["Xeon × 8"] });
    expect(await offered({ cpu: "Xeon × 8" })).toEqual({ archs: ["x86_64"], cpus });
    expect(await offered({ entry: ["another"] })).toEqual({ archs: ["x86_64"], cpus: ["Xeon × 8"] });
    expect(await board({ arch: "x86_64" })).toMatchObject({ archs, cpus: ["Xeon × 8"] });
    for (const { at } of [pi, xeon]) await revokeReport({ ctx: ada.ctx, input: at });
  });

  it("have a mean over the scenarios shown where each was measured, and are sorted by it", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const second = { ...SCENARIO, id: "static-10k-ab", title: "10 KB file, ab, 32 connections" };
    const both = await share(ada, agent, { nginx: 1_000, epoll: 2_000 }, "public", [SCENARIO, second]);
    const one = await share(ada, agent, { nginx: 1_000, another: 4_000 });
    world.clock.advance(2);
    const matrix = async (filter: object) => {
      const { rows } = await getLeaderboardMatrix({ ctx: world.anonymous, input: { filter } });
      return rows.map(({ label, overall }) => [label, overall && Math.round(overall * 10) / 10]);
    };
    expect(await matrix({})).toEqual([
      ["epoll", 2],
      ["another", null],
    ]);
    // A mean of one figure is that figure.
    expect(await matrix({ scenario: [second.id] })).toEqual([["epoll", null]]);
    for (const { at } of [both, one]) await revokeReport({ ctx: ada.ctx, input: at });
  });
});

describe("a leaderboard", () => {
  it("has the ratios to nginx of what is public now, best first", async () => {
    const [ada, bob] = [await world.person("Ada"), await world.person("Bob")];
    await expect(board()).rejects.toMatchObject({ code: "not_found" });
    const slow = await share(ada, await world.host(ada), { nginx: 1_000, epoll: 1_500 });
    const fast = await share(bob, await world.host(bob), { nginx: 1_000, epoll: 2_500 });
    const { rows, archs, cpus } = await board();
    expect(rows.map((row) => [row.label, Math.round(row.ratio.estimate * 10) / 10])).toEqual([
      ["epoll", 2.5],
      ["epoll", 1.5],
    ]);
    const matrix = await getLeaderboardMatrix({ ctx: world.anonymous, input: { filter: {} } });
    // Both have the same name and CPU: the newest one stands in the cell.
    expect(matrix.scenarios.map((column) => column.scenario)).toEqual([SCENARIO.id]);
    expect(matrix.rows.map((row) => [row.label, row.cells.length])).toEqual([["epoll", 1]]);
    expect(matrix.rows[0]?.cells[0]).toMatchObject({ verdict: "faster", slug: fast.slug });
    expect(await listLeaderboards({ ctx: world.anonymous })).toMatchObject([
      { scenario: SCENARIO.id, entries: 2 },
    ]);
    expect((await board({ arch: archs[0], cpu: cpus[0] })).rows).toHaveLength(2);
    const request = { path: SCENARIO.path, load: SCENARIO.load };
    expect(await board()).toMatchObject({ tool: SCENARIO.tool, request });
    expect(await board({ arch: "none" })).toMatchObject({ rows: [], request });
    expect(JSON.stringify(await board())).not.toContain(FACTS.hostname);
    await revokeReport({ ctx: ada.ctx, input: slow.at });
    expect((await board()).rows).toHaveLength(1);
    await revokeReport({ ctx: bob.ctx, input: fast.at });
  });

  it("has of one workspace and CPU the newest, and says what it leaves out", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    await share(ada, agent, { nginx: 1_000, epoll: 3_000 });
    world.clock.advance(60);
    const linked = await share(ada, agent, { nginx: 1_000, epoll: 2_000 }, "link");
    const mine = async () => {
      const { rows, left_out } = await board();
      return { rows: rows.map((row) => Math.round(row.ratio.estimate)), left_out };
    };
    expect(await mine()).toEqual({ rows: [3], left_out: [] });
    await changeReportAccess({ ctx: ada.ctx, input: { ...linked.at, visibility: "public" } });
    expect(await mine()).toEqual({ rows: [2], left_out: [{ why: "older", entries: 1 }] });
  });

  it("leaves out whose baseline is another, whose tool was the bottleneck, and who has no verdict", async () => {
    const ada = await world.person("Ada");
    const { slug } = await share(ada, await world.host(ada), { nginx: 1_000, epoll: 2_000 });
    const { snapshot } = await findReportBySlug({ ctx: world.anonymous, input: { slug } });
    const whyAfter = (change: (copy: ReportSnapshot) => void) => {
      const copy = structuredClone(snapshot);
      change(copy);
      return standingsOf(copy).map(({ left_out, ratio }) => [left_out, ratio === null]);
    };
    const entryOf = (copy: ReportSnapshot) => {
      const run = copy.runs[0];
      const key = run?.entries.find((entry) => !entry.baseline)?.key;
      const entry = run?.summary?.scenarios[0]?.entries.find((e) => e.entry_key === key);
      if (!entry) throw new Error("no entry");
      return entry;
    };
    expect(whyAfter(() => {})).toEqual([[null, false]]);
    expect(
      whyAfter((copy) => {
        for (const entry of copy.runs[0]?.entries ?? []) if (entry.baseline) entry.server = "caddy";
      }),
    ).toEqual([["baseline", true]]);
    expect(
      whyAfter((copy) => {
        const revision = { commit: "a".repeat(40), dirty: false };
        for (const entry of copy.runs[0]?.entries ?? []) if (entry.baseline) entry.revision = revision;
      }),
    ).toEqual([["baseline", true]]);
    expect(
      whyAfter((copy) => {
        for (const entry of copy.runs[0]?.entries ?? []) entry.options = { workers: entry.baseline ? 1 : 8 };
      }),
    ).toEqual([["workers", true]]);
    expect(
      whyAfter((copy) => {
        entryOf(copy).ratio_bound = "at-least";
      }),
    ).toEqual([["tool-limit", true]]);
    expect(
      whyAfter((copy) => {
        entryOf(copy).unranked_code = "failed-verification";
      }),
    ).toEqual([["not-counted", true]]);
    expect(
      whyAfter((copy) => {
        entryOf(copy).ratio = null;
      }),
    ).toEqual([["no-verdict", true]]);
  });
});

it("a stored load is read as it was measured, or not at all", () => {
  const load = { kind: "rate" as const, rate_per_s: 500, connections: 8, keep_alive: false };
  expect(loadOf(loadKey({ ...SCENARIO, load }, "p99_us"))).toEqual({ path: SCENARIO.path, load });
  for (const unreadable of ["", "common", "null", "[]", '["kb","ab","static","/1k.bin",{"kind":"new"}]'])
    expect(loadOf(unreadable)).toBeNull();
});

describe("what one author does", () => {
  const row = (author: string, load = "common", title = "1 KB"): StandingRow => ({
    ...{ author, slug: "s".repeat(22), created_at: new Date(0), run_no: 1, scenario_id: "kb" },
    ...{ title, tool: "ab", metric: "requests_per_s", load, label: author, server: "epoll", older: 0 },
    ...{ machine: "Pi", arch: "aarch64", cpu: "A72", ratio: 2, low: 1.9, high: 2.1, verdict: "faster" },
    left_out: null,
  });

  it("neither empties a table nor renames it, however new and many their reports are", () => {
    const eve = Array.from({ length: 50 }, () => row("eve", "own", "buy this"));
    const judged = judge([...eve, row("ada"), row("bob")]);
    expect(judged.slice(-2).map(({ why }) => why)).toEqual([null, null]);
    expect(judged.slice(0, 50).every(({ why }) => why === "other-load")).toBe(true);
    expect(titleOf(judge([row("eve", "common", "buy this"), row("ada"), row("bob")]))).toBe("1 KB");
  });

  it("fills no more than their share of the tables", async () => {
    const ada = await world.person("Ada");
    const bob = await world.person("Bob");
    const honest = await share(bob, await world.host(bob), { nginx: 1_000, epoll: 2_500 });
    await world.domain.db.query(
      sql`UPDATE standing SET label = 'bob' WHERE report_id = ${honest.at.reportId}`,
    );
    world.clock.advance(60);
    const { at } = await share(ada, await world.host(ada), { nginx: 1_000, epoll: 2_000 });
    await world.domain.db.query(
      sql`INSERT INTO standing SELECT (jsonb_populate_record(t, jsonb_build_object('standing_no', n, 'label', 'forged ' || n))).*
          FROM standing t, generate_series(1000, 12000) n WHERE t.report_id = ${at.reportId} AND t.standing_no = 1`,
    );
    const { rows, left_out } = await board({});
    const matrix = await getLeaderboardMatrix({ ctx: world.anonymous, input: { filter: {} } });
    // The best of them, however old, and the others are counted.
    expect(rows).toHaveLength(500);
    expect(rows[0]?.label).toBe("bob");
    expect(left_out.find(({ why }) => why === "no-room")?.entries).toBeGreaterThan(500);
    expect(matrix.rows.length + matrix.left_out).toBe(1_001);
    expect(matrix.rows.map((row) => row.label)).toContain("bob");
  });
});
