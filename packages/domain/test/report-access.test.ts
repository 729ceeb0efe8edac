import { sql } from "@rigmark/db";
import { describe, expect, it } from "vitest";
import {
  changeReportAccess,
  createReport,
  findReportBySlug,
  findReportHash,
  listReports,
  renderReport,
  revokeReport,
} from "../src/index";
import { finishedRun, type Person, useWorld } from "./world";

const world = useWorld();
const DAY_S = 86_400;
const FORMS = ["json", "md", "badge", "oembed"] as const;

async function shared(more: Partial<Parameters<typeof createReport>[0]["input"]> = {}) {
  const ada = await world.person("Ada");
  const runId = await finishedRun(ada, await world.host(ada));
  const input = { workspace: ada.workspace, showHostName: false, ...more, runId };
  const { slug, report_id } = await createReport({ ctx: ada.ctx, input });
  const change = (visibility: "private" | "link" | "public", expiresInDays?: 7 | 30 | 90 | null) =>
    changeReportAccess({
      ctx: ada.ctx,
      input: { workspace: ada.workspace, reportId: report_id, visibility, expiresInDays },
    });
  const listed = async () => {
    const { reports } = await listReports({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    return reports.find((report) => report.slug === slug);
  };
  return { ada, slug, reportId: report_id, change, listed };
}

/** Whether somebody gets the report, as each of its forms. */
async function forms({ ctx }: Pick<Person, "ctx">, slug: string): Promise<string[]> {
  const asked = [
    findReportBySlug({ ctx, input: { slug } }),
    ...FORMS.map((as) => renderReport({ ctx, input: { slug, as } })),
  ];
  const results = await Promise.allSettled(asked);
  return [...new Set(results.map((r) => (r.status === "fulfilled" ? "ok" : r.reason.code)))];
}
const hashOf = (slug: string) => findReportHash({ ctx: world.anonymous, input: { slug } });

describe("a report", () => {
  it("is for whoever has the link, and does not expire, unless its author chooses otherwise", async () => {
    const { slug, listed } = await shared();
    world.clock.advance(400 * DAY_S);
    expect(await forms({ ctx: world.anonymous }, slug)).toEqual(["ok"]);
    expect(await hashOf(slug)).toMatchObject({ membersOnly: false });
    expect(await listed()).toMatchObject({ visibility: "link", expires_at: null, expired: false });
  });

  it("that is private is there for members alone; to others it looks like none", async () => {
    const { ada, slug, change } = await shared({ visibility: "private" });
    const eve = await world.person("Eve");
    expect(await forms(ada, slug)).toEqual(["ok"]);
    expect(await findReportBySlug({ ctx: ada.ctx, input: { slug } })).toMatchObject({ members_only: true });
    for (const ctx of [world.anonymous, eve.ctx]) expect(await forms({ ctx }, slug)).toEqual(["not_found"]);
    expect(await hashOf(slug)).toMatchObject({ membersOnly: true });
    await change("public");
    expect(await forms({ ctx: world.anonymous }, slug)).toEqual(["ok"]);
    await change("private");
    expect(await forms({ ctx: world.anonymous }, slug)).toEqual(["not_found"]);
  });

  it("that has expired is gone in each form, also for members, until its author brings it back", async () => {
    const { ada, slug, change, listed } = await shared({ expiresInDays: 7 });
    world.clock.advance(7 * DAY_S - 60);
    expect(await forms({ ctx: world.anonymous }, slug)).toEqual(["ok"]);
    // Its expiry stays where nothing is said about it.
    await change("public");
    world.clock.advance(120);
    for (const ctx of [world.anonymous, ada.ctx]) expect(await forms({ ctx }, slug)).toEqual(["not_found"]);
    expect(await hashOf(slug)).toBeNull();
    expect(await listed()).toMatchObject({ visibility: "public", expired: true });
    await change("link", 30);
    expect(await forms({ ctx: world.anonymous }, slug)).toEqual(["ok"]);
    await change("link", null);
    expect(await listed()).toMatchObject({ expires_at: null, expired: false });
  });

  it("that was revoked stays revoked, and nobody outside its workspace changes one", async () => {
    const { ada, slug, reportId, change } = await shared();
    const eve = await world.person("Eve");
    const theirs = { workspace: eve.workspace, reportId, visibility: "public" as const };
    await expect(changeReportAccess({ ctx: eve.ctx, input: theirs })).rejects.toMatchObject({
      code: "not_found",
    });
    await revokeReport({ ctx: ada.ctx, input: { workspace: ada.workspace, reportId } });
    await expect(change("public")).rejects.toMatchObject({ code: "not_found" });
    expect(await hashOf(slug)).toBeNull();
  });
});

it("the reports of a workspace are listed by pages, newest first, without leaving one out", async () => {
  const { ada, reportId, slug } = await shared();
  // 101 at the same moment, and 50 after it.
  await world.domain.db.query(
    sql`INSERT INTO report SELECT (jsonb_populate_record(p, jsonb_build_object('report_id', gen_random_uuid(),
          'created_at', p.created_at + (greatest(n - 100, 0) || ' s')::interval))).*
        FROM report p, generate_series(1, 150) n WHERE p.report_id = ${reportId}`,
  );
  const list = (cursor: string | null, { ctx, workspace } = ada) =>
    listReports({ ctx, input: { workspace, cursor } });
  const first = await list(null);
  const second = await list(first.next_cursor);
  expect([first.reports.length, second.reports.length, second.next_cursor]).toEqual([100, 51, null]);
  const all = [...first.reports, ...second.reports];
  expect(new Set(all.map((report) => report.report_id)).size).toBe(151);
  expect(all.some((report) => report.slug === slug)).toBe(true);
  const times = all.map((report) => report.created_at);
  expect(times).toEqual([...times].sort().reverse());
  // A cursor opens nobody else's list.
  expect((await list(first.next_cursor, await world.person("Eve"))).reports).toEqual([]);
  await expect(list("nonsense")).rejects.toMatchObject({ code: "invalid" });
});
