import { describe, expect, it } from "vitest";
import {
  applyRetention,
  createReport,
  editRun,
  getRetention,
  listDeletedRuns,
  listRuns,
  restoreRuns,
  revokeReport,
  setRetention,
} from "../src/index";
import { finishedRun, useWorld } from "./world";

const world = useWorld();
const DAY_S = 86_400;

describe("retention", () => {
  it("says what it would delete, and deletes just that: neither kept, reported nor new runs", async () => {
    const ada = await world.person("Ada");
    const host = await world.host(ada);
    const at = { workspace: ada.workspace };
    const [old, kept, shared, beside] = [
      await finishedRun(ada, host, "old"),
      await finishedRun(ada, host, "kept"),
      await finishedRun(ada, host, "shared"),
      await finishedRun(ada, host, "shared beside it"),
    ];
    await editRun({ ctx: ada.ctx, input: { ...at, runId: kept, tags: ["Keep"] } });
    const report = await createReport({
      ctx: ada.ctx,
      input: { ...at, runIds: [shared, beside], showHostName: false },
    });
    world.clock.advance(40 * DAY_S);
    await finishedRun(ada, await world.host(ada), "new");

    const ask = (days: number | null) => getRetention({ ctx: ada.ctx, input: { ...at, days } });
    const titles = async () =>
      (await listRuns({ ctx: ada.ctx, input: { ...at, limit: 50 } })).runs.map((run) => run.title).sort();
    expect(await ask(null)).toMatchObject({ days: null, would_delete: null });
    expect((await ask(30)).would_delete).toMatchObject({ runs: 1 });
    expect((await ask(30)).would_delete?.bytes).toBeGreaterThan(0);
    expect((await ask(50)).would_delete).toMatchObject({ runs: 0, bytes: 0, oldest_at: null });
    // Until there is a rule, nothing goes.
    expect(await applyRetention({ ctx: world.system })).toBe(0);

    await setRetention({ ctx: ada.ctx, input: { ...at, days: 30 } });
    expect(await applyRetention({ ctx: world.system })).toBe(1);
    expect(await titles()).toEqual(["kept", "new", "shared", "shared beside it"]);
    expect((await listDeletedRuns({ ctx: ada.ctx, input: at })).runs.map((run) => run.run_id)).toEqual([old]);
    expect(await applyRetention({ ctx: world.system })).toBe(0);

    // Whoever brings a run back has it for as long again.
    await restoreRuns({ ctx: ada.ctx, input: { ...at, runIds: [old] } });
    expect(await applyRetention({ ctx: world.system })).toBe(0);
    expect(await titles()).toContain("old");

    await revokeReport({ ctx: ada.ctx, input: { ...at, reportId: report.report_id } });
    expect(await applyRetention({ ctx: world.system })).toBe(2);
    expect(await titles()).toEqual(["kept", "new", "old"]);
  });
});
