import { describe, expect, it } from "vitest";
import { report, run } from "../src/index";
import { checkSpec } from "../src/run/check-spec";
import { plannedRange } from "../src/run/planned";
import { repeatCommand } from "../src/run/repeat-command";
import { CATALOGUE, FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { finishAttempt, leasedRun, putChunk, startAttempt, useWorld } from "./world";

const world = useWorld();
const PRECISE = { ...SPEC, repeats: 5, precision: 0.02, max_repeats: 20 };
const RATES = Object.fromEntries(SPEC.entries.map((e, i) => [e.label, 10_000 * (i + 1)]));

describe("a run with a precision", () => {
  it("has no missing and no failed trials when it ends before its limit", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId, lease } = await leasedRun(ada, agent, PRECISE);
    await startAttempt(agent.ctx, lease);
    const records = writeJournal(lease, {
      facts: FACTS,
      scenarios: [SCENARIO],
      rates: RATES,
      endsAfter: 7,
    });
    const chunks = packChunks(records, 50);
    const seen = () => run.get({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    for (const [i, chunk] of chunks.entries()) {
      await putChunk(agent.ctx, lease, chunk);
      // Until it has ended all blocks may be needed.
      if (i === 0) expect((await seen()).trials).toHaveLength(20 * SPEC.entries.length);
    }
    await finishAttempt(agent.ctx, lease, chunks);
    const view = await seen();
    expect(view.state).toBe("succeeded");
    expect(view.blocks).toEqual({ least: 5, most: 20, looks: [5, 20], precision: 0.02 });
    expect(view.trials).toHaveLength(7 * SPEC.entries.length);
    expect(view.trials.every((t) => t.state === "valid")).toBe(true);
    const [listed] = (await run.list({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 10 } })).runs;
    const all = 7 * SPEC.entries.length;
    expect(listed?.trials).toEqual({ total: all, done: all, valid: all, invalid: 0 });

    const { slug } = await report.create({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, runId, showHostName: false },
    });
    const { snapshot } = await report.bySlug({ ctx: world.anonymous, input: { slug } });
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

describe("the command that repeats a run", () => {
  it("has the plan, the parameters, and what the servers' contents must be", () => {
    const entries = [{ label: "it's mine", content_hash: "ab".repeat(32) }];
    const command = repeatCommand(
      {
        ...PRECISE,
        entries: [
          { label: "it's mine", server: "epoll", options: { workers: 2 } },
          { label: "nginx", server: "nginx", options: {} },
        ],
        scenarios: ["static-1k-ab"],
        duration_s: 2,
        warmup_s: 0,
        baseline: "nginx",
        seed: 7,
        slice_s: 0.5,
      },
      entries,
    );
    expect(command).toBe(
      "rigmark run --server 'it'\\''s mine=epoll:workers=2' --server nginx --scenario static-1k-ab --repeats 5 " +
        "--precision 2% --max-repeats 20 --slice 0.5s --duration 2s --warmup 0s --baseline nginx --seed 7 " +
        "--expect 'it'\\''s mine=abababababab'",
    );
  });

  it("names an entry with options, or the agent would make a label of them", () => {
    const entries = [{ label: "epoll", server: "epoll", options: { workers: 2 } }];
    expect(repeatCommand({ ...SPEC, entries, baseline: null })).toContain("--server epoll=epoll:workers=2 ");
  });

  it("says nothing that was not asked for", () => {
    const command = repeatCommand({ ...SPEC, precision: null, max_repeats: null, slice_s: null });
    expect(command).not.toMatch(/--precision|--max-repeats|--slice|--expect/);
  });
});
