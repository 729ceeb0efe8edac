import { summaryOf } from "@rigmark/domain/testing";
import type { LatencyCurve, ReportSnapshot } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { latencyFigure } from "@/lib/results/latency-figure";
import { mainFigure } from "@/lib/results/main-figure";
import { overviewOf } from "@/lib/results/overview";
import { pictureOf } from "@/lib/results/picture";
import type { ResultRun } from "@/lib/results/shape";
import { spreadTable } from "@/lib/results/spread-table";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en } from "./words";

const CLOSED = "static-1k-ab";
const RATE = "plaintext-rate-k6";
const FIRST_BYTE = "first_byte_p50_us";
const SINGLE_REQUESTS = "single requests in a closed loop: not ranked";
const plain = withCodes(golden);

/** The golden run, in which the first scenario is of single requests that are timed to the first byte. */
function timed(change: (run: ResultRun) => void = () => {}): ResultRun {
  const run = structuredClone(plain);
  for (const s of run.scenarios) {
    if (s.id !== CLOSED) continue;
    s.latency_until = "first-byte";
    s.load = { kind: "closed", connections: 1, keep_alive: false };
  }
  change(run);
  run.summary = summaryOf({
    ...run,
    trials: run.trials.map((t) => ({ ...t, windows: t.done_slices.length })),
    blocks: null,
  });
  return run;
}
const run = timed();
const styles = assignStyles(run.entries.map((e) => e.key));
const tables = (of: ResultRun) => {
  const { workloads, trend } = overviewOf(en, { ...of, labels: [] });
  const row = (table: typeof trend) => table?.rows.find((r) => r.key === CLOSED);
  const table = workloads.map((w) => w.table).find((t) => row(t)) ?? null;
  return { table, result: row(table), trend: row(trend) };
};

describe("the overview, of a scenario that is timed to the first byte", () => {
  const { table, result, trend } = tables(run);
  const texts = result?.cells.map((c) => c.text) ?? [];

  it("has the median of the trials' p50 with its unit, and not whole downloads a second", () => {
    expect(texts[1]).toBe("443\u00a0µs to the first byte");
    expect(texts[2]).toBe("354\u00a0µs to the first byte");
    expect(result?.cells[1]?.note).toMatch(/µs – .*µs.*not ranked/);
    expect(texts.join()).not.toContain("req/s");
  });

  it("names no winner and no change against the baseline, and says why", () => {
    expect(result?.cells.at(-1)).toEqual({ text: "–", note: SINGLE_REQUESTS });
    const changes = trend?.cells.slice(1) ?? [];
    expect(changes.slice(0, 2)).toEqual([
      { text: "–", note: SINGLE_REQUESTS },
      { text: "–", note: SINGLE_REQUESTS },
    ]);
    // The rate still ranks where it did.
    expect(tables(plain).trend?.cells[1]?.text).toMatch(/%/);
  });

  it("has it in its own column of the CSV, and no time to the first byte among those of whole responses", () => {
    const at = (title: string) => result?.csv[table?.csv.indexOf(`nginx ${title}`) ?? -1];
    expect(at("first_byte_p50_us")).toBeCloseTo(442.8, 1);
    expect(at("p99_us")).toBeNull();
    expect(at("not_ranked")).toBe(SINGLE_REQUESTS);
    expect(result?.csv[table?.csv.indexOf("metric") ?? -1]).toBe(FIRST_BYTE);
    const closed = tables(plain);
    expect(closed.result?.csv[closed.table?.csv.indexOf("nginx first_byte_p50_us") ?? -1]).toBeNull();
  });

  it("has the reason in a cell without a p50", () => {
    const none = timed((of) => {
      for (const t of of.trials)
        if (t.scenario === CLOSED && t.entry_key === of.entries[0]?.key && t.result) t.result.requests = 19;
    });
    const cells = tables(none).result?.cells.slice(1, 5) ?? [];
    const note = "p50 does not count: it needs at least 20 answered requests in a trial";
    expect(cells.filter((c) => c.note === note)).toEqual([{ text: "–", note }]);
  });
});

describe("the figures of a scenario that is timed to the first byte", () => {
  it("are of that time, with a bar for each entry that answers rightly and a rank for none", () => {
    const { title, chart, table } = mainFigure(en, run, CLOSED, styles);
    expect(title).toBe("Time to the first byte");
    expect(table.caption).toBe("Time to the first byte of each entry, not ranked");
    const bars = chart.kind === "bars" ? chart.rows : [];
    expect(bars.filter((b) => b.value !== null).map((b) => Math.round(b.value ?? 0))).toEqual([
      443, 354, 330,
    ]);
    expect(bars.some((b) => b.winner)).toBe(false);
    // Who failed its verification has the reason in place of a bar, here as elsewhere.
    expect(bars.find((b) => b.value === null)?.reason).toContain("failed verification");
    expect(table.rows.map((r) => r.cells[1]?.text)).toEqual(["–", "–", "–", "–"]);
    expect(table.rows[1]?.cells[5]).toEqual({ text: "not ranked", note: SINGLE_REQUESTS });
    const spread = spreadTable(en, run, styles)?.rows.find((r) => r.key.startsWith(CLOSED));
    expect(spread?.cells.find((c) => c.note?.includes("five"))).toBeUndefined();
  });

  it.each([
    ["printed by the tool", []],
    [
      "added from histograms",
      [
        {
          ...({} as LatencyCurve),
          scenario: CLOSED,
          entry_key: plain.entries[0]?.key ?? "",
          trials: 5,
          count: 9,
        },
      ],
    ],
  ])("say that latency is the time to the first byte: %s", (_how, some) => {
    const curves = some.map((c) => ({
      ...c,
      max_us: 9,
      corrected: false,
      note: null,
      points: [{ p: 50, us: 7 }],
    }));
    const of = (r: ResultRun, id: string) => latencyFigure(en, r, id, styles, curves as LatencyCurve[]);
    const { summary, table } = of(run, CLOSED);
    expect(summary).toMatch(/^Time from request to the first byte[,:]/);
    expect(table.caption).toMatch(/^Time from request to the first byte: percentiles/);
    expect(of(plain, CLOSED).summary).toMatch(/^Time from request to response[,:]/);
    expect(of(run, RATE).summary).toMatch(/^Time from request to response[,:]/);
  });

  it("say in a tooltip what half of the requests had", () => {
    const hint = latencyFigure(en, run, CLOSED, styles).table.columns[1]?.hint;
    expect(hint).toMatch(/^Half of the requests had the first byte of their response within this time\./);
  });

  it("are not the picture of a report while there is another scenario", () => {
    const of = (r: ResultRun) => pictureOf(en, { runs: [r], title: "x" } as unknown as ReportSnapshot);
    expect(of(run)?.rows[0]?.figure).toMatch(/p99/);
    const alone = timed((r) => {
      r.scenarios = r.scenarios.filter((s) => s.id === CLOSED);
      r.trials = r.trials.filter((t) => t.scenario === CLOSED);
    });
    expect(of(alone)?.headline).toBeNull();
    expect(of(alone)?.rows[0]).toMatchObject({
      figure: "not ranked, 443\u00a0µs to the first byte",
      winner: false,
    });
  });
});
