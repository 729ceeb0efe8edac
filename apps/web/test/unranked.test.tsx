import type { EntrySummary, ReportSnapshot } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { specOf } from "@/components/chart/spec";
import { mainFigure } from "@/lib/results/main-figure";
import { overviewOf } from "@/lib/results/overview";
import { pictureOf } from "@/lib/results/picture";
import type { ResultRun } from "@/lib/results/shape";
import { spreadTable } from "@/lib/results/spread-table";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const CLOSED = "static-1k-ab";
const WHY = "failed verification: 10m.bin: 5,242,880 of 10,485,760 bytes arrived";
const baseline = run.entries.find((e) => e.baseline)?.key ?? "";
const fastest = run.summary?.scenarios.find((s) => s.scenario === CLOSED)?.entries[0]?.entry_key ?? "";

/** The golden run, in which an entry has eight times its rate and no rank. */
function without(key: string, why: string, more: Partial<EntrySummary> = {}): ResultRun {
  const copy = structuredClone(run);
  const summary = copy.summary?.scenarios.find((s) => s.scenario === CLOSED);
  const entry = summary?.entries.find((e) => e.entry_key === key);
  if (!summary || !entry?.requests_per_s) throw new Error("no such entry");
  const { n, median, cv } = entry.requests_per_s;
  const requests_per_s = { n, median: 8 * median, min: 7 * median, max: 9 * median, cv };
  const unranked = {
    unranked_code: why === WHY ? "failed-verification" : "offered-unknown",
    unranked_reason: why,
  };
  Object.assign(entry, { rank: null, ...unranked, ratio: null, requests_per_s, ...more });
  summary.entries = [...summary.entries.filter((e) => e !== entry), entry];
  return copy;
}
const barOf = (of: ResultRun, key: string) => {
  const { chart } = mainFigure(en, of, CLOSED, styles);
  return chart.kind === "bars" ? chart.rows.find((r) => r.key === key) : undefined;
};
const pictured = (of: ResultRun, key: string) =>
  pictureOf(en, { runs: [of], title: "x" } as unknown as ReportSnapshot)?.rows.find((r) => r.key === key);

describe("an entry that was measured and then failed its verification", () => {
  const failed = without(fastest, WHY, {
    verdict: "not-comparable",
    sentence: `It is not ranked: ${WHY}.`,
  });

  it("has the reason in place of a bar, and sets no scale", () => {
    expect(barOf(failed, fastest)).toMatchObject({ value: null, points: [], reason: WHY });
    const stops = specOf(en, mainFigure(en, failed, CLOSED, styles).chart).stops.map((s) => s[0]?.text ?? "");
    const said = stops.find((text) => text.includes("10m.bin"));
    expect(said).toMatch(/: failed verification: [^:]*: 5,242,880 of 10,485,760 bytes arrived$/);
    expect(barOf(failed, baseline)?.points.length).toBeGreaterThan(0);
  });

  it("has no bar in the picture, which says why", () => {
    expect(pictured(failed, fastest)?.value).toBeNull();
    expect(pictured(failed, fastest)?.figure).toMatch(/^failed verification, ≥ [\d,]+\sreq\/s$/);
  });

  it("says so in the overview and in the spread, and in their CSV", () => {
    const { workloads } = overviewOf(en, { ...failed, labels: [] });
    const overview = workloads.map((w) => w.table).find((t) => t.rows.some((r) => r.key === CLOSED));
    const cells = overview?.rows.find((r) => r.key === CLOSED)?.cells ?? [];
    expect(cells.filter((c) => c.note?.includes("failed verification") && c.text !== "–")).toHaveLength(1);
    expect(overview?.rows.find((r) => r.key === CLOSED)?.csv).toContain(WHY);
    const spread = spreadTable(en, failed, styles);
    const row = spread?.rows.find((r) => r.key === `${CLOSED} ${fastest}`);
    expect(row?.cells[0]?.note).toBe("failed verification");
    expect(row?.csv[spread?.csv.indexOf("not_ranked") ?? -1]).toBe(WHY);
    expect(spread?.rows.filter((r) => r.cells[0]?.note)).toHaveLength(1);
  });

  it("has the reason in the table also where nothing compares it: the baseline, or alone", () => {
    const rowOf = (of: ResultRun) =>
      mainFigure(en, of, CLOSED, styles).table.rows.find((r) => r.key === baseline)?.cells[5];
    const first = without(baseline, WHY, { verdict: null });
    expect(rowOf(first)).toEqual({ text: "baseline", note: WHY });
    const alone = structuredClone(first);
    alone.entries = alone.entries.filter((e) => e.baseline);
    alone.trials = alone.trials.filter((t) => t.entry_key === baseline);
    expect(rowOf(alone)?.note).toBe(WHY);
    // There are figures, if in the table alone.
    expect(mainFigure(en, alone, CLOSED, styles).empty).toBeNull();
  });
});

it("what is not ranked for another reason says that it is not", () => {
  const silent = without(fastest, "ab did not say how many requests failed", { verdict: null });
  expect(pictured(silent, fastest)?.figure).toMatch(/^not ranked, /);
  expect(barOf(silent, fastest)?.reason).toBe("ab did not say how many requests failed");
  const [unmeasured] = run.entries.filter((e) => !run.trials.some((t) => t.entry_key === e.key && t.result));
  expect(pictured(run, unmeasured?.key ?? "")?.figure).toBe("failed verification");
});
