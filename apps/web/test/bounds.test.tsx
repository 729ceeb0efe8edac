import type { EntrySummary, ReportSnapshot, ScenarioSummary } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { specOf } from "@/components/chart/spec";
import type { TableModel } from "@/components/chart/table-model";
import { TrialsTable } from "@/components/result/trials-table";
import { toCsv } from "@/lib/csv";
import { courseOf } from "@/lib/results/course";
import { efficiencyTable } from "@/lib/results/efficiency-table";
import { latencyFigure } from "@/lib/results/latency-figure";
import { mainFigure } from "@/lib/results/main-figure";
import { overviewOf } from "@/lib/results/overview";
import { pictureOf } from "@/lib/results/picture";
import type { ResultRun } from "@/lib/results/shape";
import { spreadTable } from "@/lib/results/spread-table";
import { timeFigure } from "@/lib/results/time-figure";
import { assignStyles } from "@/lib/series-style";
import { refreshed, withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en, render } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const CLOSED = "static-1k-ab";
const RATE = "plaintext-rate-k6";

/** The golden run with its summary of a scenario changed. */
function changed(
  scenario: string,
  entry: (e: EntrySummary, i: number) => Partial<EntrySummary>,
  own: Partial<ScenarioSummary> = {},
): ResultRun {
  const copy = structuredClone(run);
  const summary = copy.summary?.scenarios.find((s) => s.scenario === scenario);
  if (!summary) throw new Error(`no ${scenario}`);
  Object.assign(summary, own);
  for (const [i, e] of summary.entries.entries()) Object.assign(e, entry(e, i));
  return copy;
}
const csvOf = (table: TableModel): string => toCsv([table.csv, ...table.rows.map((r) => r.csv)]);

describe("two entries that met the tool's ceiling", () => {
  const two = changed(CLOSED, (_, i) =>
    i < 2 ? { lower_bound: true, shared_ceiling: true, limit: "generator-bound" } : {},
  );
  const figure = mainFigure(en, two, CLOSED, styles);

  it("have open bars, ≥ and the words beside them", () => {
    const rows = figure.chart.kind === "bars" ? figure.chart.rows : [];
    // Without a verdict the baseline stands first.
    expect(rows.slice(1, 3).map((r) => [r.bound, r.note, r.figure.startsWith("≥ ")])).toEqual([
      ["≥", "shared ceiling", true],
      ["≥", "shared ceiling", true],
    ]);
    expect(rows[0]?.note).toBeNull();
    expect(specOf(en, figure.chart).stops[1]?.[0]?.text).toMatch(/median ≥ .*, shared ceiling/);
    expect(figure.summary).toContain("Shared ceiling: ");
  });

  it("have them in table, overview, picture and CSV", () => {
    expect(figure.table.rows[1]?.cells[2]?.text).toMatch(/^≥ /);
    expect(figure.table.rows[1]?.cells[6]).toEqual({ text: "tool-bound", note: "shared ceiling" });
    expect(csvOf(figure.table)).toMatch(/,≥,true,/);
    const { workloads } = overviewOf(en, { ...two, labels: [] });
    const cells = workloads.flatMap((w) => w.table.rows).find((r) => r.key === CLOSED)?.cells ?? [];
    expect(cells.filter((c) => c.text.startsWith("≥ ") && c.note?.includes("shared ceiling"))).toHaveLength(
      2,
    );
    const picture = pictureOf(en, { runs: [two], title: "x" } as unknown as ReportSnapshot);
    expect(picture?.rows.slice(1, 3).map((r) => r.bound)).toEqual(["≥", "≥"]);
    expect(picture?.rows[1]?.figure).toMatch(/^shared ceiling, ≥ /);
    const time = timeFigure(en, courseOf(en, two, CLOSED), styles, "rate", null);
    expect(time.summary).toContain("≥: the tool was the bottleneck");
    expect(time.chart.kind === "time" && time.chart.lines.some((l) => l.name.endsWith("(≥)"))).toBe(true);
  });

  it("have a ratio that is a bound, too, as soon as one block in common is, unless both are", () => {
    const baseline = run.entries.find((e) => e.baseline)?.key;
    const ratiosOf = (ratio: number, bound: (key: string, block: number) => boolean): string[] => {
      const one = changed(CLOSED, (e) => ({
        ratio:
          e.entry_key === baseline || !e.requests_per_s
            ? null
            : { estimate: ratio, low: ratio - 0.1, high: ratio + 0.1, confidence: 0.95 },
      }));
      for (const t of one.trials) t.limit = bound(t.entry_key, t.block) ? "generator-bound" : "server-bound";
      return mainFigure(en, refreshed(one), CLOSED, styles).table.rows.flatMap(({ cells: { 4: cell } }) =>
        cell?.note ? [`${cell.text} ${cell.note}`] : [],
      );
    };
    expect(ratiosOf(1.2, (key, block) => key !== baseline && block === 0)).toEqual(
      Array(2).fill("≥ 1.200× 1.100× – …"),
    );
    expect(ratiosOf(0.8, (key) => key === baseline)).toEqual(Array(2).fill("≤ 0.800× … – 0.900×"));
    // The baseline's trial of the fourth block was invalid, so that block is in no ratio.
    expect(ratiosOf(1.2, (_, block) => block === 3)).toEqual(Array(2).fill("1.200× 1.100× – 1.300×"));
    expect(ratiosOf(1.2, () => true)).toEqual(Array(2).fill("1.200× 1.100× – 1.300×"));
  });
});

it("a latency at a fixed rate whose tool was the bottleneck is an upper bound, in every figure", () => {
  const late = changed(RATE, () => ({
    lower_bound: true,
    latency_bound: "at-most",
    limit: "generator-bound",
  }));
  const main = mainFigure(en, late, RATE, styles);
  expect(main.table.rows[0]?.cells[2]?.text).toMatch(/^≤ /);
  expect(main.chart.kind === "bars" && main.chart.rows[0]?.bound).toBe("≤");
  const latency = latencyFigure(en, late, RATE, styles);
  expect(latency.table.rows[0]?.cells[1]?.text).toMatch(/^≤ /);
  expect(latency.table.rows[0]?.csv[2]).toBe("≤");
});

it("a trial's figure is a bound where packages/stats says that the tool was its limit", () => {
  const one = structuredClone(run);
  for (const t of one.trials) t.limit = t.block === 0 ? "generator-bound" : "server-bound";
  const signs = (scenario: string) => {
    const { chart } = mainFigure(en, refreshed(one), scenario, styles);
    const points = chart.kind === "bars" ? chart.rows.flatMap((r) => r.points) : [];
    const of = (first: boolean) => points.filter((p) => (p.name === "block 1") === first);
    return [true, false].map((first) => [...new Set(of(first).map((p) => /^[≥≤]/.exec(p.text)?.[0]))]);
  };
  expect(signs(CLOSED)).toEqual([["≥"], [undefined]]);
  expect(signs(RATE)).toEqual([["≤"], [undefined]]);
});

it("what cannot be compared says why, in table, CSV and overview", () => {
  const why = "ab was the bottleneck for both, and two bounds give no verdict.";
  const baseline = run.entries.find((e) => e.baseline)?.key;
  const both = changed(CLOSED, (e) =>
    e.entry_key === baseline || e.requests_per_s === null
      ? {}
      : { verdict: "not-comparable", ratio: null, sentence: why, unranked_reason: null },
  );
  const { table } = mainFigure(en, both, CLOSED, styles);
  const row = table.rows.find((r) => r.cells[5]?.text === "not comparable");
  expect(row?.cells[5]?.note).toBe(why);
  expect(csvOf(table)).toContain(why);
  const trend = overviewOf(en, { ...both, labels: [] }).trend?.rows.find((r) => r.key === CLOSED);
  expect(trend?.cells.some((c) => c.note === `not comparable: ${why}`)).toBe(true);
});

describe("a scenario that is judged by processor time", () => {
  const spread = { n: 5, median: 12.5, min: 12, max: 13, cv: 0.02 };
  const cpu = changed(
    RATE,
    () => ({
      cpu_us_per_request: spread,
      lower_bound: true,
      latency_bound: "at-most",
      limit: "generator-bound",
      verdict: "slower",
    }),
    { metric: "cpu_us_per_request" },
  );

  it("ranks by it, without a bound, and speaks of spending", () => {
    const { title, table, chart } = mainFigure(en, cpu, RATE, styles);
    expect(title).toBe("Server CPU per request");
    expect(table.rows[0]?.cells[2]?.text).toBe("12.5\u00a0µs");
    expect(table.rows[0]?.cells[5]?.text).toBe("spends more");
    expect(table.csv).toContain("cpu_us_per_request_median");
    expect(chart.kind === "bars" && chart.rows.every((r) => r.bound === null)).toBe(true);
  });
});

describe("efficiency", () => {
  const spread = (median: number) => ({ n: 5, median, min: median, max: median, cv: 0 });
  const known = changed(CLOSED, () => ({
    lower_bound: true,
    efficiency: {
      requests_per_s_per_core: spread(80_000),
      requests_per_s_per_mib: spread(2000),
      energy_uj_per_request: null,
      wire_bytes_per_request: spread(1400),
    },
  }));

  it("is a dash where the host cannot tell, and a bound only where it is made of the rate", () => {
    const table = efficiencyTable(en, known, CLOSED, styles);
    const cells = table?.rows[2]?.cells.map((c) => c.text) ?? [];
    expect(cells.slice(2)).toEqual([
      "80,000\u00a0req/s/core",
      "≥ 2,000\u00a0req/s/MiB",
      "–",
      "1.37\u00a0KiB",
      "tool-bound",
    ]);
    for (const row of table?.rows ?? []) expect(row.csv).toHaveLength(table?.csv.length ?? 0);
  });

  it("says why it has no share of a request where the counters themselves are known", () => {
    const noteOf = (kind: "closed" | "knee", requests: number) => {
      const of = changed(CLOSED, () => ({
        cpu_us_per_request: null,
        efficiency: {
          requests_per_s_per_core: null,
          requests_per_s_per_mib: spread(2000),
          energy_uj_per_request: null,
          wire_bytes_per_request: null,
        },
      }));
      for (const s of of.scenarios) if (s.id === CLOSED) Object.assign(s.load, { kind });
      for (const t of of.trials) {
        if (t.result) t.result.requests = requests;
        if (t.resources && kind === "knee") t.resources.server_cpu_us = null;
      }
      return efficiencyTable(en, refreshed(of), CLOSED, styles)
        ?.rows[0]?.cells.slice(1, 6)
        .map((c) => c.note);
    };
    const search = "unknown for a search";
    expect(noteOf("knee", 100)).toEqual([search, search, null, null, search]);
    const few = "too few requests";
    expect(noteOf("closed", 1)).toEqual([few, few, null, null, few]);
  });

  it("is of reports from before it was there what they have", () => {
    expect(efficiencyTable(en, run, CLOSED, styles)?.rows[0]?.cells[2]?.text).toBe("–");
    const bare = changed(CLOSED, () => ({ cpu_us_per_request: null }));
    expect(efficiencyTable(en, bare, CLOSED, styles)).toBeNull();
  });
});

it("effect sizes and outliers stand with the trials and in no headline", () => {
  const noisy = changed(CLOSED, () => ({
    effect: -2.345,
    outliers: { low_severe: 1, low_mild: 0, high_mild: 2, high_severe: 0 },
  }));
  const table = spreadTable(en, noisy, styles);
  const rows = table?.rows.filter((r) => r.key.startsWith(CLOSED)) ?? [];
  expect(rows.flatMap((r) => r.cells.map((c) => c.text))).toEqual(
    expect.arrayContaining(["2 mild, 1 severe", "−2.35"]),
  );
  expect(rows[0]?.cells[5]?.note).toBe("1 low, 2 high");
  const main = mainFigure(en, noisy, CLOSED, styles);
  expect(JSON.stringify(main)).not.toContain("2.345");
});

it("each trial whose tool was the bottleneck has its rate as a bound", () => {
  const trials = run.trials.map((t) => ({ ...t, limit: "generator-bound" as const }));
  const html = render(
    <TrialsTable trials={trials} entries={run.entries} scenarios={run.scenarios} styles={styles} />,
  );
  const rates = html.match(/(≥ )?[\d,.]+\u00a0req\/s/g) ?? [];
  expect(rates.length).toBeGreaterThan(0);
  expect(rates.every((r) => r.startsWith("≥ "))).toBe(true);
});
