import { RunEdit } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import {
  type Ctx,
  createReport,
  deleteRuns,
  describeRun,
  editRun,
  findReportBySlug,
  getRun,
  listRuns,
} from "../src/index";
import { finishedRun, type Person, useWorld } from "./world";

const world = useWorld();

async function measured() {
  const ada = await world.person("Ada");
  const runId = await finishedRun(ada, await world.host(ada));
  const input = { workspace: ada.workspace, runId };
  const edit = (change: RunEdit, who: Person = ada) =>
    editRun({ ctx: who.ctx, input: { ...input, workspace: who.workspace, ...change } });
  return { ada, runId, input, edit, see: () => getRun({ ctx: ada.ctx, input }) };
}

describe("what members write about a run", () => {
  it("is in its page, in lists and in the API; what is not given stays", async () => {
    const { ada, runId, edit, see } = await measured();
    await edit({ title: "after the change", tags: ["release"] });
    expect(await edit({ note: "The fan was off." })).toEqual({
      title: "after the change",
      note: "The fan was off.",
      tags: ["release"],
    });
    expect(await see()).toMatchObject({ title: "after the change", note: "The fan was off." });
    const { runs } = await listRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, limit: 5 } });
    expect(runs[0]).toMatchObject({ title: "after the change", tags: ["release"] });
    const brief = await describeRun({ ctx: ada.ctx, input: { runId } });
    expect(brief.title).toBe("after the change");
    expect(await edit({ note: "", tags: [] })).toMatchObject({ note: null, tags: [] });
  });

  it("is plain text: a name is one line, a note keeps its lines, a tag is there once", async () => {
    const { edit } = await measured();
    const words = await edit({
      title: " a\tname\n\u202eof one\0 line ",
      note: " two\r\nlines \u0007\n",
      tags: ["Release", " release", "arm\n64", "\0"],
    });
    expect(words).toEqual({ title: "a name of one line", note: "two\nlines", tags: ["Release", "arm 64"] });
    await expect(edit({ title: "\0" })).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("needs a name"),
    });
  });

  it("has its limits", () => {
    const fits = (change: object) => RunEdit.safeParse(change).success;
    expect(fits({ title: "x".repeat(120), note: "x".repeat(2000), tags: ["x".repeat(40)] })).toBe(true);
    expect(fits({ title: "x".repeat(121) })).toBe(false);
    expect(fits({ title: "  " })).toBe(false);
    expect(fits({ note: "x".repeat(2001) })).toBe(false);
    expect(fits({ tags: ["x".repeat(41)] })).toBe(false);
    expect(fits({ tags: ["a,b"] })).toBe(false);
    expect(fits({ tags: Array.from({ length: 11 }, (_, n) => `t${n}`) })).toBe(false);
  });

  it("is in no report, apart from the name that the run had then", async () => {
    const { ada, input, edit } = await measured();
    await edit({ title: "first name", note: "between us", tags: ["weekly"] });
    const { slug } = await createReport({ ctx: ada.ctx, input: { ...input, showHostName: false } });
    await edit({ title: "second name" });
    const { snapshot } = await findReportBySlug({ ctx: world.anonymous, input: { slug } });
    expect(snapshot.title).toBe("first name");
    expect(JSON.stringify(snapshot)).not.toMatch(/between us|weekly|second name/);
  });

  it("is for members, and not for a run that was deleted", async () => {
    const { ada, runId, input, edit } = await measured();
    const eve = await world.person("Eve");
    const take = (ctx: Ctx) => editRun({ ctx, input: { ...input, title: "mine" } });
    await expect(edit({ title: "mine" }, eve)).rejects.toMatchObject({ code: "not_found" });
    await expect(take(eve.ctx)).rejects.toMatchObject({ code: "not_found" });
    await expect(take(world.anonymous)).rejects.toMatchObject({ code: "unauthenticated" });
    await deleteRuns({ ctx: ada.ctx, input: { workspace: ada.workspace, runIds: [runId] } });
    await expect(edit({ title: "late" })).rejects.toMatchObject({ code: "gone" });
  });
});
