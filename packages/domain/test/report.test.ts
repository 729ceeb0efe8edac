import { sql } from "@rigmark/db";
import { wordsIn } from "@rigmark/messages/catalogue";
import { ReportRun, type ReportSnapshot } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { createReport, findReportBySlug, renderReport } from "../src/index";
import { redactRun } from "../src/report/internal/redact";
import { badgeText, renderReportBadge } from "../src/report/internal/render/badge";
import { renderMarkdown } from "../src/report/internal/render/markdown";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();
const EVIL = `<script>alert(1)</script>|**x** [a](javascript:b) @all #1 https://evil.example`;

interface Measured {
  rates?: [number, number];
  blocks?: number;
  broken?: boolean;
  /** As the environment of its run has it. */
  hostname?: string;
  title?: string;
}

async function makeReport(label: string, showHostName: boolean, measured: Measured = {}) {
  const { rates = [10_000, 14_000], blocks = SPEC.repeats, broken = true } = measured;
  const { hostname = FACTS.hostname, title = SPEC.title } = measured;
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const spec = {
    ...SPEC,
    title,
    repeats: blocks,
    entries: [SPEC.entries[0], { label, server: "epoll", options: {} }] as typeof SPEC.entries,
  };
  const { runId, lease } = await leasedRun(ada, agent, spec);
  await beginAttempt(agent.ctx, lease);
  const quoting = {
    ...FACTS,
    hostname,
    checks: FACTS.checks.map((c) => ({ ...c, found: `${hostname} in /home/ada/x` })),
  };
  const records = writeJournal(lease, {
    facts: quoting,
    scenarios: [SCENARIO],
    rates: { nginx: rates[0], [label]: rates[1] },
    broken: broken ? { nginx: `10m.bin was cut off on ${hostname}: 5242880 of 10485760 bytes arrived.` } : {},
  });
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  const made = await createReport({
    ctx: ada.ctx,
    input: { workspace: ada.workspace, runId, showHostName },
  });
  return findReportBySlug({ ctx: world.anonymous, input: { slug: made.slug } });
}

describe("a report", () => {
  it("hides the host's name wherever it stands, unless its owner shows it", async () => {
    const title = `Servers of ${FACTS.hostname}`;
    const hidden = JSON.stringify(await makeReport("epoll", false, { title }));
    for (const secret of [FACTS.hostname, "/home/ada", FACTS.boot_id])
      expect(hidden.includes(secret), secret).toBe(false);
    expect(hidden.includes("5242880 of 10485760")).toBe(true);
    expect(hidden.includes('"title":"Servers of [host]"')).toBe(true);
    const shown = await makeReport("epoll", true);
    expect(shown.snapshot.runs[0]?.host).toMatchObject({ name: FACTS.hostname, redacted: false });
  });

  it.each(["linux", "Debian", "static", "aarch64"])(
    "can be made of a host called %s, and the facts of it stay what they are",
    async (hostname) => {
      const { snapshot } = await makeReport("epoll", false, { hostname, broken: false });
      const [run] = snapshot.runs;
      const { hostname: _, boot_id: __, checks: ___, ...facts } = FACTS;
      expect(run?.environment?.facts).toMatchObject(facts);
      expect(run?.host).toMatchObject({ os_name: FACTS.os_name, kernel: FACTS.kernel, arch: FACTS.arch });
      expect(run?.environment?.facts).toMatchObject({
        hostname: "[host]",
        boot_id: "[host]",
        checks: [],
      });
    },
  );

  it("has none of the doctor's findings, nor the boot, in any form, also where an older one was stored with them", async () => {
    const { slug, snapshot } = await makeReport("epoll", true);
    const everything = async () => {
      const forms = (["json", "md", "badge"] as const).map((as) =>
        renderReport({ ctx: world.anonymous, input: { slug, as } }),
      );
      const view = await findReportBySlug({ ctx: world.anonymous, input: { slug } });
      return [JSON.stringify(view), ...(await Promise.all(forms))].join("\n");
    };
    const secrets = [FACTS.boot_id, "/home/ada/x", ...FACTS.checks.flatMap((c) => c.why ?? [])];
    const leaks = (text: string) => secrets.filter((secret) => text.includes(secret));
    expect(leaks(await everything())).toEqual([]);

    const old = structuredClone(snapshot);
    const facts = old.runs[0]?.environment?.facts;
    if (!facts) throw new Error("no facts");
    Object.assign(facts, {
      boot_id: FACTS.boot_id,
      checks: FACTS.checks.map((c) => ({ ...c, found: "in /home/ada/x" })),
    });
    expect(leaks(JSON.stringify(old))).toEqual(secrets);
    await world.domain.db.query(
      sql`UPDATE report SET snapshot = ${JSON.stringify(old)}, sha256 = 'of-the-older-one' FROM report_slug s
          WHERE s.report_id = report.report_id AND s.slug = ${slug}`,
    );
    expect(leaks(await everything())).toEqual([]);
  });

  it("is parsed once, however often it is read", async () => {
    const { slug, snapshot } = await makeReport("epoll", true);
    const again = await findReportBySlug({ ctx: world.anonymous, input: { slug } });
    expect(again.snapshot).toBe(snapshot);
  });

  it("can be read by its schema whatever word of it is the host's name", async () => {
    const { snapshot } = await makeReport("epoll", true);
    const [whole] = snapshot.runs;
    if (!whole) throw new Error("no run");
    const run = { ...whole, series: [] };
    const words = new Set(
      JSON.stringify(run)
        .match(/[\w.-]+/g)
        ?.filter((w) => /^.{4,30}$/.test(w) && !/^[\d.]+$/.test(w)),
    );
    expect(words.size).toBeGreaterThan(100);
    for (const name of words) {
      const host = { ...run.host, name, hostname: name };
      const { success, data } = ReportRun.safeParse(redactRun({ ...run, host } as never, false));
      expect([name, success]).toEqual([name, true]);
      for (const field of ["trials", "entries", "scenarios"] as const)
        expect(data?.[field].length).toBe(run[field].length);
      expect(data?.environment?.tools).toEqual(run.environment?.tools);
    }
  });

  it("never ranks who failed verification, and says why", async () => {
    const { snapshot } = await makeReport("epoll", false);
    const entries = snapshot.runs[0]?.summary?.scenarios[0]?.entries ?? [];
    const failed = entries.find((e) => e.unranked_reason !== null);
    // Nobody is left to be compared with.
    expect(entries.map((e) => e.rank)).toEqual([null, null]);
    expect(failed?.unranked_reason).toContain("5242880 of 10485760");
    expect(entries.map((e) => e.unranked_code)).toEqual([null, "failed-verification"]);
  });

  it("keeps an agent's markup out of Markdown and badge", async () => {
    const { snapshot, markdown } = await makeReport(EVIL.slice(0, 80), false, { broken: false });
    // Inside <code> a forge makes no links.
    expect(markdown.replace(/<code>.*<\/code>/, "")).not.toMatch(
      /<script|(^|[^\\])\[a\]\(|@all|#1\b|https:\/\/evil/,
    );
    const badge = renderReportBadge(snapshot);
    expect(badge).not.toContain("<script");
    expect(badge).toContain("&#60;script");
  });

  it("keeps out what no forge and no parser of SVG should draw", async () => {
    const { snapshot, slug } = await makeReport("a\u202eb\u0007c\ufffe ftp://evil.example", false, {
      broken: false,
    });
    const as = (form: "md" | "badge") => renderReport({ ctx: world.anonymous, input: { slug, as: form } });
    expect(JSON.stringify(snapshot)).toContain("\u202e");
    for (const body of [await as("md"), await as("badge")])
      expect(/[^\P{Cc}\n]|[\u202e\ufffe]/u.test(body), body).toBe(false);
    expect((await as("md")).replace(/<code>.*<\/code>/, "")).not.toContain("ftp://");
  });

  it("names a winner only where a verdict shows one", async () => {
    const bold = (markdown: string) => markdown.split("\n").filter((l) => l.startsWith("| **"));
    const won = await makeReport("epoll", false, { broken: false });
    expect(badgeText(won.snapshot)).toEqual({ label: "epoll", message: expect.stringContaining("req/s") });
    expect(bold(won.markdown)).toEqual([expect.stringContaining("| **epoll** | 1 | ")]);
    expect(won.markdown).toContain("| Server | Rank | Result, median of trials |");

    const level = await makeReport("epoll", false, { broken: false, rates: [10_000, 10_050] });
    expect(level.snapshot.runs[0]?.summary?.scenarios[0]?.entries.map((e) => e.rank)).toEqual([null, null]);
    expect(badgeText(level.snapshot)).toEqual({ label: "rigmark", message: "no difference shown" });
    expect(badgeText(level.snapshot, wordsIn("zh")).message).toBe("没有显示出差异");
    expect(bold(level.markdown)).toEqual([]);
    expect(level.markdown).toContain("| Server | Result, median of trials |");
    expect(level.snapshot.runs[0]?.summary?.scenarios[0]?.no_verdict).toMatchObject({
      code: "no-difference",
      power: 0.8,
    });

    const short = await makeReport("epoll", false, { broken: false, blocks: 3 });
    expect(badgeText(short.snapshot)).toEqual({ label: "rigmark", message: "3 blocks, no verdict" });
    expect(badgeText(short.snapshot, wordsIn("zh")).message).toBe("3 个区组，没有结论");
    // Its boxes are as wide as their text, and Chinese characters as wide as high.
    expect(renderReportBadge(short.snapshot, "zh")).toContain(
      `width="${Math.round("rigmark".length * 6.6 + 20) + Math.round(8 * 11 + 2 * 6.6 + 20)}"`,
    );
    expect(bold(short.markdown)).toEqual([]);

    const left = await makeReport("epoll", false);
    expect(badgeText(left.snapshot)).toEqual({ label: "rigmark", message: "no verdict" });
    expect(bold(left.markdown)).toEqual([]);
  });

  it("says on the badge of how many scenarios its figure is one, and is as wide as that", async () => {
    const { snapshot } = await makeReport("epoll", false, { broken: false });
    const many = structuredClone(snapshot);
    const [first] = many.runs;
    const [only] = first?.summary?.scenarios ?? [];
    if (!first?.summary || !only) throw new Error("no summary");
    first.summary.scenarios = Array.from({ length: 14 }, () => only);
    expect(badgeText(many).message).toMatch(/^1[34],\d{3}\sreq\/s \(1 of 14 scenarios\)$/);
    expect(badgeText({ ...many, runs: [first, first] }).message).toMatch(
      / \(1 of 14 scenarios, run 1 of 2\)$/,
    );
    const widthOf = (of: ReportSnapshot) => Number(/ width="(\d+)"/.exec(renderReportBadge(of))?.[1]);
    expect(widthOf(many) - widthOf(snapshot)).toBeGreaterThan(100);
    Object.assign(only, { winner_key: null, no_winner: "no difference shown" });
    expect(badgeText(many)).toEqual({ label: "rigmark", message: "no difference shown (1 of 14 scenarios)" });
  });

  it("writes a rate that the tool was the bottleneck of as a lower bound, in Markdown and on the badge", async () => {
    const { snapshot } = await makeReport("epoll", false, { broken: false });
    const bounded = structuredClone(snapshot);
    const [first] = bounded.runs[0]?.summary?.scenarios[0]?.entries ?? [];
    if (first) first.lower_bound = true;
    const cell = (of: typeof snapshot) =>
      /\| (≥ )?[\d,.]+.req\/s \|/.exec(renderMarkdown(of, "http://x/r/a"))?.[1];
    expect([cell(snapshot), cell(bounded)]).toEqual([undefined, "≥ "]);
    expect(badgeText(bounded).message).toMatch(/^≥ /);
  });

  it("does not believe the winner of a report from before winners were shown by verdicts", async () => {
    const { snapshot } = await makeReport("epoll", false, { broken: false });
    const old = structuredClone(snapshot);
    for (const s of old.runs[0]?.summary?.scenarios ?? []) delete s.no_winner;
    expect(badgeText(old)).toEqual({ label: "rigmark", message: "no verdict" });
    expect(renderMarkdown(old, "https://rigmark.example/r/x")).not.toContain("| **");
  });

  it("fits a pull request: at most 15 lines, also with many rows", async () => {
    const { snapshot } = await makeReport("epoll", false);
    const [run] = snapshot.runs;
    const scenarios = Array.from({ length: 8 }, () => run?.summary?.scenarios ?? []).flat();
    const many = {
      ...snapshot,
      runs: [{ ...run, summary: { ...run?.summary, scenarios } }],
    } as ReportSnapshot;
    for (const one of [snapshot, many]) {
      const lines = renderMarkdown(one, "https://rigmark.example/r/x").trimEnd().split("\n");
      expect(lines.length).toBeLessThanOrEqual(15);
      const rows = lines.filter((l) => l.startsWith("|"));
      expect(new Set(rows.map((r) => r.split(/(?<!\\)\|/).length)).size).toBe(1);
    }
  });

  it("says as Markdown what was loaded, with whom the others are compared, and what is missing", async () => {
    const { snapshot } = await makeReport("epoll", false, { broken: false });
    const copy = structuredClone(snapshot);
    for (const run of copy.runs) {
      run.gaps = ["3 of 40 planned trials were not measured."];
      for (const entry of run.spec.entries) if (entry.server === "epoll") entry.server = "hello";
    }
    const markdown = renderMarkdown(copy, "https://rigmark.example/r/x");
    expect(markdown).toContain("get them from the author: hello (for ~/.config/rigmark/servers).");
    const lines = markdown.split("\n");
    expect(lines[0]?.split("<br>").slice(1)).toEqual([
      "**Incomplete**: 3 of 40 planned trials were not measured.",
      `Scenario: [${SCENARIO.title}](https://rigmark.example/r/x#scenario-${SCENARIO.id})`,
    ]);
    expect(lines.filter((l) => l.includes("baseline |"))).toEqual([
      expect.stringContaining("Ratio to baseline"),
      expect.stringMatching(/^\| nginx, baseline \|/),
    ]);
  });

  it("leads as Markdown to the commit and the pull request, and to nothing else of the source", async () => {
    const { snapshot } = await makeReport("epoll", false, { broken: false });
    const copy = structuredClone(snapshot);
    const page = "https://github.com/ada/server";
    const [commit, branch] = ["ab".repeat(20), "<b>#1"];
    const source = { repository: page, commit, branch, pull_request: 12, base_commit: null, dirty: false };
    const said = (repository: string) => {
      for (const run of copy.runs) run.source = { ...source, repository };
      return renderMarkdown(copy, "https://rigmark.example/r/x");
    };
    const [name, number] = ["ada/server@\u200babababa", "PR #\u200b12"];
    const escaped = "&#60;b&#62;#\u200b1";
    expect(said(page)).toContain(
      `<br>Source: <a href="${page}/commit/${commit}">${name}</a>, ${escaped}, <a href="${page}/pull/12">${number}</a><br>`,
    );
    expect(said("ada/server")).toContain(`<br>Source: ${name}, ${escaped}, ${number}<br>`);
  });

  it("has the verdict in Chinese as Markdown where it is asked for, and nothing else", async () => {
    const { snapshot, slug } = await makeReport("epoll", false, { broken: false });
    const copy = structuredClone(snapshot);
    const summary = copy.runs[0]?.summary;
    if (summary) summary.sentence_zh = "epoll 更快。";
    const url = "https://rigmark.example/r/x";
    expect(renderMarkdown(copy, url, "zh")).toContain("epoll 更快。");
    expect(renderMarkdown(copy, url, "zh")).toContain("| 结果（各次试验的中位数） |");
    expect(renderMarkdown(copy, url, "zh")).toContain(`](${url}?lang=zh)`);
    expect(renderMarkdown(copy, url)).not.toContain("更快");
    const texts = await Promise.all(
      (["en", "zh"] as const).map((language) => {
        const input = { slug, as: "md" as const, language };
        return renderReport({ ctx: world.anonymous, input });
      }),
    );
    expect(new Set(texts).size).toBe(2);
  });

  it("is not found under a slug that nobody made, whatever it is", async () => {
    for (const slug of ["", "x", "A".repeat(22), "../../etc/passwd", "%00"]) {
      await expect(findReportBySlug({ ctx: world.anonymous, input: { slug } })).rejects.toMatchObject({
        code: "not_found",
      });
    }
  });
});
