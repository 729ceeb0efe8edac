import { describe, expect, it } from "vitest";
import {
  createReport,
  findReportBySlug,
  getRawFiles,
  getRun,
  getRunSeries,
  listRunLogs,
  listRuns,
  renderReport,
  reprojectAttempt,
  revokeReport,
} from "../src/index";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

describe("a run from the queue to its report", () => {
  it("is leased, started, streamed, finished, seen and shared", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId, lease } = await leasedRun(ada, agent);
    const of = { workspace: ada.workspace, runId };
    expect((await beginAttempt(agent.ctx, lease)).state).toBe("preparing");

    const records = writeJournal(lease, {
      facts: FACTS,
      scenarios: [SCENARIO],
      rates: { nginx: 10_000, epoll: 14_000 },
    });
    const chunks = packChunks(records, 20);
    for (const [i, chunk] of chunks.entries()) {
      expect(await sendChunk(agent.ctx, lease, chunk)).toEqual({ next_seq: i + 1 });
    }
    const raw = packChunks(
      [
        {
          v: 1,
          seq: 0,
          t_us: 1,
          kind: "raw",
          data: { trial_id: lease.run_id, name: "ab.stdout", part: 0, text: "ab\n", truncated: false },
        },
      ],
      1,
    );
    await sendChunk(agent.ctx, lease, raw[0] as (typeof raw)[number], "raw");
    expect(await endAttempt(agent.ctx, lease, chunks, "succeeded", raw)).toEqual({ state: "succeeded" });

    const seen = await getRun({ ctx: ada.ctx, input: of });
    expect(seen).toMatchObject({ state: "succeeded", final: true, error: null, missing: [], current: null });
    expect(seen.trials).toHaveLength(10);
    expect(seen.trials.every((t) => t.state === "valid" && t.progress === 1 && t.result !== null)).toBe(true);
    expect(seen.entries.map((e) => e.label)).toEqual(["nginx", "epoll"]);
    expect(seen.environment?.facts.board).toBe(FACTS.board);
    const [summary] = seen.summary?.scenarios ?? [];
    expect(summary?.winner_key).toBe(seen.entries[1]?.key);
    expect(summary?.entries[0]?.ratio?.estimate, summary?.sentence).toBeCloseTo(1.4, 1);

    const { series } = await getRunSeries({ ctx: ada.ctx, input: { ...of, maxPoints: 600 } });
    expect(series).toHaveLength(10);
    expect(series[0]?.points.map((p) => p.t_s)).toEqual([0.75, 1.5, 2.25, 3]);
    expect(series[0]?.points.every((p) => p.rate_source === "tool" && p.window === "measure")).toBe(true);
    expect(series[0]?.points[1]?.requests_per_s).toBeCloseTo(10_000, 0);
    expect(series[0]?.points[1]?.server_cpu_cores).toBeCloseTo(0.9, 3);

    const page = await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 10 } });
    expect(page.runs[0]).toMatchObject({
      run_id: runId,
      trials: { total: 10, done: 10, valid: 10, invalid: 0 },
    });
    expect(page.runs[0]?.headline).toBe(seen.summary?.sentence);
    const files = await getRawFiles({ ctx: ada.ctx, input: { ...of, trialId: lease.run_id } });
    expect(files.files).toEqual([{ name: "ab.stdout", text: "ab\n", truncated: false }]);
    const tail = await listRunLogs({ ctx: ada.ctx, input: { ...of, limit: 1 } });
    expect(tail.lines.map((l) => l.line)).toEqual(["cc -o epoll"]);
    expect(tail.before).toBe(tail.lines[0]?.seq);

    const made = await createReport({ ctx: ada.ctx, input: { ...of, showHostName: false } });
    const shown = await findReportBySlug({ ctx: world.anonymous, input: { slug: made.slug } });
    expect(JSON.stringify(shown)).not.toContain(FACTS.hostname);
    expect(shown.snapshot.runs[0]?.host.name).toBe(FACTS.board);
    expect(shown.snapshot.runs[0]?.summary).toEqual(seen.summary);
    const json = await renderReport({ ctx: world.anonymous, input: { slug: made.slug, as: "json" } });
    expect(JSON.parse(json)).toEqual(shown.snapshot);

    await revokeReport({ ctx: ada.ctx, input: { workspace: ada.workspace, reportId: made.report_id } });
    await expect(
      findReportBySlug({ ctx: world.anonymous, input: { slug: made.slug } }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("gives the same rows when a corrected parser reads the chunks again", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId, lease } = await leasedRun(ada, agent, { ...SPEC, repeats: 2 });
    await beginAttempt(agent.ctx, lease);
    const records = writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} });
    for (const chunk of packChunks(records, 7)) await sendChunk(agent.ctx, lease, chunk);
    const of = { workspace: ada.workspace, runId };
    const all = async () => [
      { ...(await getRun({ ctx: ada.ctx, input: of })), host: null, timings: null },
      await getRunSeries({ ctx: ada.ctx, input: { ...of, maxPoints: 600 } }),
      await listRunLogs({ ctx: ada.ctx, input: { ...of, limit: 100 } }),
    ];
    const before = await all();
    const { workspaceId } = agent.ctx.actor as { workspaceId: string };
    const again = await reprojectAttempt({
      ctx: world.system,
      input: { workspaceId, attemptId: lease.attempt_id },
    });
    expect(again).toBeGreaterThan(5);
    expect(await all()).toEqual(before);
  });
});
