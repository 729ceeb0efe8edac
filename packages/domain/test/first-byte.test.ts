import type { RecordOf, Scenario } from "@rigmark/protocol";
import { ReportSnapshot } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import { describe, expect, it } from "vitest";
import { createReport, findReportBySlug, getRun, listRuns } from "../src/index";
import { badgeText } from "../src/report/internal/render/badge";
import { renderMarkdown } from "../src/report/internal/render/markdown";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

/** Why nobody is ranked. */
const SINGLE_REQUESTS = "single requests in a closed loop: not ranked";

const world = useWorld();
const FIRST: Scenario = {
  ...SCENARIO,
  id: "files-1k-first-byte",
  title: "1 KB file, first byte of single requests",
  tool: "loadgen",
  load: { kind: "closed", connections: 1, keep_alive: false },
  latency_until: "first-byte",
};
type Trial = RecordOf<"trial">["data"];

/** A run in which epoll answers more requests, and nginx sends its first byte sooner. */
async function measured(
  scenarios: Scenario[],
  odd: { broken?: Record<string, string>; trial?: (data: Trial) => void } = {},
) {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const { runId, lease } = await leasedRun(ada, agent, SPEC);
  await beginAttempt(agent.ctx, lease);
  const records = writeJournal(lease, {
    facts: FACTS,
    scenarios,
    rates: { nginx: 10_000, epoll: 14_000 },
    broken: odd.broken ?? {},
  });
  const label = new Map(
    records.flatMap((r) => (r.kind === "plan" ? r.data.entries.map((e) => [e.key, e.label] as const) : [])),
  );
  for (const r of records) {
    if (r.kind !== "trial" || !r.data.result?.latency || r.data.scenario !== FIRST.id) continue;
    const us = (label.get(r.data.entry_key) === "nginx" ? 78 : 398) + r.data.block;
    r.data.result.latency.percentiles = [
      { p: 50, us },
      { p: 99, us: us * 20 },
    ];
    odd.trial?.(r.data);
  }
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  const of = { workspace: ada.workspace, runId };
  const made = await createReport({ ctx: ada.ctx, input: { ...of, showHostName: false } });
  const { snapshot } = await findReportBySlug({ ctx: world.anonymous, input: { slug: made.slug } });
  const [listed] = (await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 10 } })).runs;
  const view = await getRun({ ctx: ada.ctx, input: of });
  const summary = view.summary?.scenarios.find((s) => s.scenario === FIRST.id);
  return { view, summary, snapshot, headline: listed?.headline };
}

describe("single requests that are timed to the first byte", () => {
  it("are read by the median of the trials' medians, which nobody wins and nothing is compared by", async () => {
    const { summary } = await measured([FIRST, SCENARIO]);
    expect(summary).toMatchObject({
      metric: "first_byte_p50_us",
      winner_key: null,
      no_winner: SINGLE_REQUESTS,
    });
    const ranking = rankingOf("first_byte_p50_us");
    const told = summary?.entries.map((e) => [
      ranking.write(ranking.spreadOf(e)?.median, ranking.boundOf(e)),
      e.rank,
      e.unranked_reason,
      e.ratio,
      e.verdict,
    ]);
    expect(told).toEqual([
      ["80\u00a0µs", null, SINGLE_REQUESTS, null, null],
      ["400\u00a0µs", null, SINGLE_REQUESTS, null, null],
    ]);
    expect(summary?.sentence).toBe(
      "Median time to the first byte: nginx 80.0 µs, epoll 400 µs. Single requests in a closed loop are not ranked.",
    );
    expect(summary?.sentence_zh).toContain("epoll 400 µs");
  });

  it("change nothing of the verdict on what ranks, and are no headline beside it", async () => {
    const alone = await measured([SCENARIO]);
    const { view, headline, snapshot } = await measured([FIRST, SCENARIO]);
    const ranked = (v: typeof view) => v.summary?.scenarios.find((s) => s.scenario === SCENARIO.id);
    expect(ranked(view)?.entries.map((e) => e.ratio)).toEqual(
      ranked(alone.view)?.entries.map((e) => e.ratio),
    );
    const said = `${alone.view.summary?.sentence} Not ranked: 1 scenario of single requests.`;
    expect(view.summary?.sentence).toBe(said);
    expect(headline).toBe(said);
    expect(badgeText(snapshot)).toEqual({
      ...badgeText(alone.snapshot),
      message: `${badgeText(alone.snapshot).message} (1 of 2 scenarios)`,
    });
    const markdown = renderMarkdown(snapshot, "https://x.example/r/1");
    expect(markdown).toMatch(
      /\| nginx, baseline \| {2}\| 80\sµs to the first byte \| 78\sµs – 82\sµs \| – \|/,
    );
    expect(markdown).toContain(SINGLE_REQUESTS);
  });

  it("are the headline where there is nothing else", async () => {
    const { view, summary, snapshot } = await measured([FIRST]);
    expect(view.summary?.sentence).toBe(summary?.sentence);
    expect(badgeText(snapshot)).toEqual({ label: "rigmark", message: "single requests, not ranked" });
  });

  it("say why there is no time: it failed its verification, or too few requests were made", async () => {
    const { summary } = await measured([FIRST, SCENARIO], {
      broken: { nginx: "10m.bin was cut off." },
      trial: ({ result }) => {
        if (result) result.requests = 19;
      },
    });
    expect(summary?.entries.map((e) => e.unranked_reason)).toEqual([
      "failed verification: 10m.bin was cut off.",
      "p50 does not count: it needs at least 20 answered requests in a trial",
    ]);
    expect(summary?.sentence).not.toContain("Median");
  });

  it("rank as others do at a fixed rate, where a time is not that of the load, and by what they cost the server", async () => {
    const load = { kind: "rate", rate_per_s: 1000, connections: 1, keep_alive: false } as const;
    const { summary } = await measured([{ ...FIRST, load }, SCENARIO]);
    expect(summary?.metric).toBe("p99_us");
    const spent = await measured([{ ...FIRST, judged_by: "cpu_us_per_request" }, SCENARIO]);
    expect(spent.summary?.metric).toBe("cpu_us_per_request");
  });

  it("are told in a report by `latency_until`; one of before, which has none, opens as it was", async () => {
    const { snapshot } = await measured([FIRST, SCENARIO]);
    expect(snapshot.runs[0]?.scenarios.map((s) => s.latency_until)).toEqual(["first-byte", undefined]);
    const old = structuredClone((await measured([SCENARIO])).snapshot);
    expect(ReportSnapshot.parse(old)).toEqual(old);
    expect(old.runs[0]?.summary?.scenarios[0]?.metric).toBe("requests_per_s");
  });
});
