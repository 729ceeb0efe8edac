import { randomUUID } from "node:crypto";
import type { HostFacts } from "@rigmark/protocol";
import type { ReportSnapshot } from "@rigmark/results";
import { cardsOf } from "@rigmark/results/card";
import { describe, expect, it } from "vitest";
import { createReport, findReportBySlug, listReports } from "../src/index";
import { badgeText } from "../src/report/internal/render/badge";
import { renderMarkdown } from "../src/report/internal/render/markdown";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();
const URL = "https://rigmark.example/r/x";

interface Measured {
  title: string;
  rates?: [number, number];
  facts?: HostFacts;
}

/** A finished run of nginx and epoll. */
async function measure(owner: Person, agent: Awaited<ReturnType<typeof world.host>>, of: Measured) {
  const [nginx, epoll] = of.rates ?? [10_000, 14_000];
  const { runId, lease } = await leasedRun(owner, agent, { ...SPEC, title: of.title });
  await beginAttempt(agent.ctx, lease);
  const facts = of.facts ?? FACTS;
  const records = writeJournal(lease, { facts, scenarios: [SCENARIO], rates: { nginx, epoll } });
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  return runId;
}

async function twoRuns(second: Partial<Measured> = {}) {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const ids = [
    await measure(ada, agent, { title: "before" }),
    await measure(ada, agent, { title: "after", rates: [10_000, 20_000], ...second }),
  ];
  return { ada, agent, ids };
}

const share = (ada: Person, runIds: string[], more: { title?: string; showHostName?: boolean } = {}) =>
  createReport({ ctx: ada.ctx, input: { workspace: ada.workspace, runIds, showHostName: false, ...more } });

const snapshotOf = async (slug: string): Promise<ReportSnapshot> =>
  (await findReportBySlug({ ctx: world.anonymous, input: { slug } })).snapshot;

describe("a report of several runs", () => {
  it("holds each of them whole, in the order in which they were named", async () => {
    const { ada, ids } = await twoRuns();
    const turned = [...ids].reverse();
    const made = await share(ada, turned);
    const { runs, title } = await snapshotOf(made.slug);
    expect(runs.map((r) => r.run_id)).toEqual(turned);
    expect(title).toBe("after, and 1 other run");
    for (const run of runs) {
      expect(run.trials).toHaveLength(10);
      expect(run.series.length).toBeGreaterThan(0);
      expect(run.summary?.scenarios[0]?.entries).toHaveLength(2);
    }
    const { reports } = await listReports({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    expect(reports[0]).toMatchObject({ run_id: turned[0], headline: expect.stringMatching(/^Run 1 of 2: /) });
  });

  it("takes one to eight runs, each once, however its id is written", async () => {
    const { ada, ids } = await twoRuns();
    const [first = ""] = ids;
    await expect(share(ada, [])).rejects.toMatchObject({ code: "invalid" });
    await expect(
      share(
        ada,
        Array.from({ length: 9 }, () => randomUUID()),
      ),
    ).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("1 to 8 runs"),
    });
    for (const again of [first, first.toUpperCase()])
      await expect(share(ada, [first, again])).rejects.toMatchObject({
        code: "invalid",
        message: expect.stringContaining("given twice"),
      });
  });

  it("holds no run of another workspace and none without results, whatever its place", async () => {
    const { ada, agent, ids } = await twoRuns();
    const eve = await twoRuns();
    const [mine = ""] = ids;
    const [theirs = ""] = eve.ids;
    for (const runIds of [
      [mine, theirs],
      [theirs, mine],
    ])
      await expect(share(ada, runIds)).rejects.toMatchObject({ code: "not_found" });
    const { runId } = await leasedRun(ada, agent, { ...SPEC, title: "only queued" });
    await expect(share(ada, [mine, runId])).rejects.toMatchObject({
      code: "state",
      message: expect.stringContaining("“only queued” has no results yet"),
    });
    const { reports } = await listReports({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    expect(reports).toEqual([]);
  });

  it("hides the names of all its hosts in each of its runs", async () => {
    const other = { ...FACTS, hostname: "m1-under-the-desk" };
    const { ada, ids } = await twoRuns({
      facts: {
        ...other,
        checks: FACTS.checks.map((c) => ({ ...c, found: `slower than ${FACTS.hostname}` })),
      },
    });
    const text = JSON.stringify(await snapshotOf((await share(ada, ids)).slug));
    for (const secret of [FACTS.hostname, other.hostname]) expect(text.includes(secret), secret).toBe(false);
  });

  it("says as Markdown of which run each line is, shows lines of all, and ranks none against another run's", async () => {
    const { ada, ids } = await twoRuns();
    const snapshot = await snapshotOf((await share(ada, ids, { title: "A patch | x" })).slug);
    const markdown = renderMarkdown(snapshot, URL);
    const rows = markdown.split("\n").filter((l) => /^\| \d/.test(l));
    expect(rows.map((r) => r.split(" | ")[0])).toEqual(["| 1", "| 1", "| 2", "| 2"]);
    expect(rows.filter((r) => r.includes("**epoll** | 1 |"))).toHaveLength(2);
    expect(rows[0]).toMatch(/1[34],\d{3}/);
    expect(rows[2]).toMatch(/20,\d{3}/);
    expect(markdown).toContain("| Run | Server | Rank |");
    expect(markdown).toContain("**Run 1**, before");
    expect(markdown).toContain("**Run 2**, after");
    expect(markdown).toContain("Run 1 and run 2 were measured in the same environment.");
    expect(markdown).toContain("hold within one run, not between runs");
    expect(markdown.match(/<code>rigmark run/g)).toHaveLength(2);
    expect(markdown).not.toContain("get them from the author");

    const [first, second] = snapshot.runs;
    const many = (run: typeof first) => ({
      ...run,
      summary: {
        ...run?.summary,
        scenarios: Array.from({ length: 8 }, () => run?.summary?.scenarios ?? []).flat(),
      },
    });
    const long = { ...snapshot, runs: [many(first), many(second)] } as ReportSnapshot;
    const lines = renderMarkdown(long, URL).trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(15);
    expect(lines.filter((l) => /^\| \d/.test(l)).map((l) => l.slice(2, 3))).toEqual([..."111222"]);
  });

  it("says by what its runs are not comparable, or that it is not known", async () => {
    const { ada, ids } = await twoRuns({ facts: { ...FACTS, governor: "performance" } });
    const snapshot = await snapshotOf((await share(ada, ids)).slug);
    expect(renderMarkdown(snapshot, URL)).toContain("must be the same: CPU governor ondemand / performance.");
    const [first, second] = snapshot.runs;
    const bare = { ...snapshot, runs: [first, { ...second, environment: null }] } as ReportSnapshot;
    expect(renderMarkdown(bare, URL)).toContain("the environment of run 2 is not known");
  });

  it("has the first run's figure on the badge, and says that it is its", async () => {
    const { ada, ids } = await twoRuns();
    const snapshot = await snapshotOf((await share(ada, ids)).slug);
    expect(cardsOf(snapshot).map((card) => card.run)).toEqual([0, 1]);
    expect(badgeText(snapshot)).toEqual({
      label: "epoll",
      message: expect.stringMatching(/^14,\d{3}\sreq\/s \(run 1 of 2\)$/),
    });
    const hollow = {
      ...snapshot,
      runs: snapshot.runs.map((r) => ({
        ...r,
        summary: r.summary && {
          ...r.summary,
          scenarios: r.summary.scenarios.map((s) => ({
            ...s,
            entries: s.entries.map((e) => ({
              ...e,
              rank: 1,
              rank_to: undefined,
              verdict: null,
              requests_per_s: null,
            })),
            winner_key: null,
            no_winner: "nothing ranked",
          })),
        },
      })),
    } as ReportSnapshot;
    expect(cardsOf(hollow).flatMap((card) => card.rows.map((row) => row.rank))).toEqual([
      null,
      null,
      null,
      null,
    ]);
    const empty = { ...snapshot, runs: snapshot.runs.map((r, i) => (i === 0 ? { ...r, summary: null } : r)) };
    expect(badgeText(empty)).toEqual({ label: "rigmark", message: "nothing measured (run 1 of 2)" });
  });
});
