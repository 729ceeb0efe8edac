import { sql } from "@rigmark/db";
import type { ReportSnapshot } from "@rigmark/results";
import { EXPLORE_PAGE } from "@rigmark/results/explore";
import { describe, expect, it } from "vitest";
import {
  changeReportAccess,
  createReport,
  findReportBySlug,
  listPublicReports,
  revokeReport,
} from "../src/index";
import { listingOf } from "../src/report/internal/listing";
import { FACTS } from "../src/testing/index";
import { finishedRun, useWorld } from "./world";

const world = useWorld();

async function reportOf(title: string, visibility: "private" | "link" | "public") {
  const ada = await world.person("Ada");
  const runId = await finishedRun(ada, await world.host(ada), title);
  const { report_id, slug } = await createReport({
    ctx: ada.ctx,
    input: { workspace: ada.workspace, runId, showHostName: false, title, visibility },
  });
  const at = { workspace: ada.workspace, reportId: report_id };
  return { ada, slug, at };
}
const explore = (filter = {}, cursor: string | null = null, language: "en" | "zh" = "en") =>
  listPublicReports({ ctx: world.anonymous, input: { filter, cursor, language } });
const titles = async (filter = {}) => (await explore(filter)).reports.map((report) => report.title);

describe("Explore", () => {
  it("lists what is public now, and nothing else, whoever asks", async () => {
    await reportOf("Mine alone", "private");
    const linked = await reportOf("By its link", "link");
    expect(await titles()).toEqual([]);
    const open = await reportOf("For everyone", "public");
    const change = (visibility: "private" | "public", expiresInDays?: 7) =>
      changeReportAccess({ ctx: linked.ada.ctx, input: { ...linked.at, visibility, expiresInDays } });
    await change("public");
    expect((await titles()).sort()).toEqual(["By its link", "For everyone"]);
    await change("private");
    expect(await titles()).toEqual(["For everyone"]);
    await change("public", 7);
    expect(await titles()).toHaveLength(2);
    world.clock.advance(8 * 86_400);
    expect(await titles()).toEqual(["For everyone"]);
    await revokeReport({ ctx: open.ada.ctx, input: open.at });
    expect(await titles()).toEqual([]);
  });

  it("is searched and filtered by what a report measured and on what, and shows no host's name", async () => {
    const { slug, ada } = await reportOf("Epoll, 100 % of it", "public");
    const { reports, filters } = await explore();
    const item = reports.find((report) => report.slug === slug);
    expect(item).toMatchObject({ title: "Epoll, 100 % of it", servers: ["nginx", "epoll"], language: "en" });
    expect(item?.sentence).toContain("epoll");
    expect(JSON.stringify(reports)).not.toContain(FACTS.hostname);
    expect(JSON.stringify(reports)).not.toContain(ada.workspace);
    for (const { name, values } of filters) {
      expect(await titles({ [name]: values[0] })).toEqual(["Epoll, 100 % of it"]);
      expect(await titles({ [name]: "none" })).toEqual([]);
    }
    expect(filters.map((filter) => filter.name)).toEqual(expect.arrayContaining(["scenario", "arch", "cpu"]));
    expect(await titles({ q: "EPOLL nginx" })).toHaveLength(1);
    expect(await titles({ q: "100 %" })).toHaveLength(1);
    for (const q of ["epoll haproxy", "ep%l", "e_oll"]) expect(await titles({ q })).toEqual([]);
  });

  it("goes on from page to page without leaving one out", async () => {
    const { at } = await reportOf("One of many", "public");
    await world.domain.db.query(
      sql`WITH made AS (
            INSERT INTO report SELECT (jsonb_populate_record(p, jsonb_build_object('report_id', gen_random_uuid()))).*
            FROM report p, generate_series(1, ${EXPLORE_PAGE + 3}) WHERE p.report_id = ${at.reportId}
            RETURNING workspace_id, report_id
          ), listed AS (
            INSERT INTO report_listing SELECT (jsonb_populate_record(l, jsonb_build_object('report_id', m.report_id))).*
            FROM made m, report_listing l WHERE l.report_id = ${at.reportId}
          )
          INSERT INTO report_slug (slug, workspace_id, report_id)
          SELECT substr(md5(report_id::text), 1, 22), workspace_id, report_id FROM made`,
    );
    const seen: string[] = [];
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page: Awaited<ReturnType<typeof explore>> = await explore({ q: "many" }, cursor);
      expect(page.reports.length).toBeLessThanOrEqual(EXPLORE_PAGE);
      seen.push(...page.reports.map((report) => report.slug));
      cursor = page.next_cursor;
    }
    expect(new Set(seen).size).toBe(EXPLORE_PAGE + 4);
    expect(seen).toHaveLength(EXPLORE_PAGE + 4);
    await expect(explore({}, "nonsense")).rejects.toMatchObject({ code: "invalid" });
  });

  it("keeps names short, and without what turns the text around them", async () => {
    const { slug } = await reportOf("Named", "link");
    const { snapshot } = await findReportBySlug({ ctx: world.anonymous, input: { slug } });
    const long = structuredClone(snapshot);
    const [run] = long.runs;
    const [entry] = run?.entries ?? [];
    if (!run || !entry) throw new Error("no run");
    run.host.cpu_model = `\u202e${"x".repeat(10_000)}`;
    run.entries = Array.from({ length: 500 }, (_, n) => ({ ...entry, label: `${n} ${"y".repeat(500)}` }));
    const listing = listingOf({ ...long, title: "z".repeat(5000) } as ReportSnapshot);
    expect(JSON.stringify(listing).length).toBeLessThan(20_000);
    expect(JSON.stringify(listing)).not.toContain("\u202e");
  });
});
