import { plannedRange } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { createReport, findReportBySlug, getRun, listRuns } from "../src/index";
import { checkSpec } from "../src/internal/run/check-spec";
import { CATALOGUE, FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();
const PRECISE = { ...SPEC, repeats: 5, precision: 0.02, max_repeats: 20 };
const RATES = Object.fromEntries(SPEC.entries.map((e, i) => [e.label, 10_000 * (i + 1)]));

describe("a run with a precision", () => {
  it("has no missing and no failed trials when it ends before its limit", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId, lease } = await leasedRun(ada, agent, PRECISE);
    await beginAttempt(agent.ctx, lease);
    const records = writeJournal(lease, {
      facts: FACTS,
      scenarios: [SCENARIO],
      rates: RATES,
      endsAfter: 7,
    });
    const chunks = packChunks(records, 50);
    const seen = () => getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    for (const [i, chunk] of chunks.entries()) {
      await sendChunk(agent.ctx, lease, chunk);
      // Until it has ended all blocks may be needed.
      if (i === 0) expect((await seen()).trials).toHaveLength(20 * SPEC.entries.length);
    }
    await endAttempt(agent.ctx, lease, chunks);
    const view = await seen();
    expect(view.state).toBe("succeeded");
    expect(view.blocks).toEqual({ least: 5, most: 20, looks: [5, 20], precision: 0.02 });
    expect(view.trials).toHaveLength(7 * SPEC.entries.length);
    expect(view.trials.every((t) => t.state === "valid")).toBe(true);
    const [listed] = (await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 10 } })).runs;
    const all = 7 * SPEC.entries.length;
    expect(listed?.trials).toEqual({ total: all, done: all, valid: all, invalid: 0 });

    const { slug } = await createReport({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, runId, showHostName: false },
    });
    const { snapshot } = await findReportBySlug({ ctx: world.anonymous, input: { slug } });
    expect(snapshot.runs[0]?.gaps).toEqual([]);
    expect(snapshot.runs[0]?.trials).toHaveLength(all);
    expect(snapshot.runs[0]?.blocks?.most).toBe(20);
  });

  it("takes from its fewest blocks to its limit", () => {
    const scenarios = [{ duration_s: 10, warmup_s: 2, workload: "static" as const }];
    const fixed = plannedRange({ ...PRECISE, precision: null, max_repeats: null }, scenarios);
    const range = plannedRange(PRECISE, scenarios);
    expect(range.min_s).toBe(fixed.min_s);
    // Builds are done once; the rest four times.
    expect(range.max_s - 120).toBe(4 * (fixed.max_s - 120));
  });

  it("needs two servers, and its limit counts as its length", () => {
    const alone = { ...PRECISE, entries: SPEC.entries.slice(0, 1), baseline: null };
    expect(() => checkSpec(alone, CATALOGUE)).toThrow("Add another server");
    expect(() => checkSpec(PRECISE, CATALOGUE)).not.toThrow();
  });
});
