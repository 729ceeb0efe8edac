import { describe, expect, it } from "vitest";
import { type ReportSnapshot, report } from "../src/index";
import { renderBadge } from "../src/report/render/badge";
import { renderMarkdown } from "../src/report/render/markdown";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { finishAttempt, leasedRun, putChunk, startAttempt, useWorld } from "./world";

const world = useWorld();
const EVIL = `<script>alert(1)</script>|**x** [a](javascript:b) @all #1 https://evil.example`;

async function makeReport(label: string, showHostName: boolean) {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const spec = {
    ...SPEC,
    entries: [SPEC.entries[0], { label, server: "epoll", options: {} }] as typeof SPEC.entries,
  };
  const { runId, lease } = await leasedRun(ada, agent, spec);
  await startAttempt(agent.ctx, lease);
  const quoting = {
    ...FACTS,
    checks: FACTS.checks.map((c) => ({ ...c, found: `${FACTS.hostname} in /home/ada/x` })),
  };
  const records = writeJournal(lease, {
    facts: quoting,
    scenarios: [SCENARIO],
    rates: { nginx: 10_000, [label]: 14_000 },
    broken: { nginx: `10m.bin was cut off on ${FACTS.hostname}: 5242880 of 10485760 bytes arrived.` },
  });
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await putChunk(agent.ctx, lease, chunk);
  await finishAttempt(agent.ctx, lease, chunks);
  const made = await report.create({
    ctx: ada.ctx,
    input: { workspace: ada.workspace, runId, showHostName },
  });
  return report.bySlug({ ctx: world.anonymous, input: { slug: made.slug } });
}

describe("a report", () => {
  it("hides the host's name wherever it stands, unless its owner shows it", async () => {
    const hidden = JSON.stringify(await makeReport("epoll", false));
    for (const secret of [FACTS.hostname, "/home/ada", FACTS.boot_id])
      expect(hidden.includes(secret), secret).toBe(false);
    expect(hidden.includes("5242880 of 10485760")).toBe(true);
    const shown = await makeReport("epoll", true);
    expect(shown.snapshot.runs[0]?.host).toMatchObject({ name: FACTS.hostname, redacted: false });
  });

  it("never ranks who failed verification, and says why", async () => {
    const { snapshot } = await makeReport("epoll", false);
    const entries = snapshot.runs[0]?.summary?.scenarios[0]?.entries ?? [];
    const failed = entries.find((e) => e.rank === null);
    expect(failed?.unranked_reason).toContain("5242880 of 10485760");
  });

  it("keeps an agent's markup out of Markdown and badge", async () => {
    const { snapshot, markdown } = await makeReport(EVIL.slice(0, 80), false);
    // Inside <code> a forge makes no links.
    expect(markdown.replace(/<code>.*<\/code>/, "")).not.toMatch(
      /<script|(^|[^\\])\[a\]\(|@all|#1\b|https:\/\/evil/,
    );
    const badge = renderBadge(snapshot);
    expect(badge).not.toContain("<script");
    expect(badge).toContain("&#60;script");
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

  it("is not found under a slug that nobody made, whatever it is", async () => {
    for (const slug of ["", "x", "A".repeat(22), "../../etc/passwd", "%00"]) {
      await expect(report.bySlug({ ctx: world.anonymous, input: { slug } })).rejects.toMatchObject({
        code: "not_found",
      });
    }
  });
});
