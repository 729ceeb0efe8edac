import type { EntrySummary, ReportSnapshot } from "@rigmark/results";
import { cardsOf } from "@rigmark/results/card";
import { describe, expect, it } from "vitest";
import { specOf } from "@/components/chart/spec";
import type { TableModel } from "@/components/chart/table-model";
import { costFigure } from "@/lib/results/cost-figure";
import { courseOf } from "@/lib/results/course";
import { latencyFigure } from "@/lib/results/latency-figure";
import { mainFigure } from "@/lib/results/main-figure";
import { overviewOf } from "@/lib/results/overview";
import { pictureOf } from "@/lib/results/picture";
import { formatRange, type ResultRun } from "@/lib/results/shape";
import { spreadTable } from "@/lib/results/spread-table";
import { timeFigure } from "@/lib/results/time-figure";
import { assignStyles } from "@/lib/series-style";
import { refreshed, withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const CLOSED = "static-1k-ab";
const RATE = "plaintext-rate-k6";
const baseline = run.entries.find((e) => e.baseline)?.key ?? "";

function changed(scenario: string, entry: (e: EntrySummary) => Partial<EntrySummary>): ResultRun {
  const copy = structuredClone(run);
  for (const e of copy.summary?.scenarios.find((s) => s.scenario === scenario)?.entries ?? [])
    Object.assign(e, entry(e));
  return copy;
}
/** The trials of an entry at the fixed rate, of which the first `n` dropped a tenth of what was offered. */
function dropping(of: ResultRun, key: string, n: number): ResultRun {
  const copy = structuredClone(of);
  const mine = copy.trials.filter((t) => t.scenario === RATE && t.entry_key === key);
  for (const { result } of mine.slice(0, n))
    if (result?.offered) {
      result.offered.dropped = result.offered.requests / 10;
      result.requests -= result.offered.requests / 10;
    }
  return refreshed(copy);
}
const column = (table: TableModel | null, title: string): number =>
  table?.columns.findIndex((c) => c.title === title) ?? -1;
const csv = (table: TableModel | null, row: number, title: string) =>
  table?.rows[row]?.csv[table.csv.indexOf(title)];

describe("the spread of trials whose tool was the bottleneck", () => {
  const table = spreadTable(
    en,
    changed(CLOSED, () => ({ lower_bound: true, limit: "generator-bound" })),
    styles,
  );

  it("is around a lower bound, in table and CSV, and says who was the bottleneck", () => {
    expect(table?.rows[0]?.cells[column(table, "Median")]?.text).toMatch(/^≥ /);
    expect(table?.rows[0]?.cells[column(table, "Bottleneck")]?.text).toBe("tool-bound");
    expect([csv(table, 0, "bound"), csv(table, 0, "limit")]).toEqual(["≥", "generator-bound"]);
    for (const row of table?.rows ?? []) expect(row.csv).toHaveLength(table?.csv.length ?? 0);
  });

  it("lacks blocks only where there is no verdict for want of them", () => {
    const noEffect = (verdict: EntrySummary["verdict"]) => {
      const found = spreadTable(
        en,
        changed(CLOSED, () => ({ effect: null, verdict })),
        styles,
      );
      const rival = found?.rows.find((r) => r.key.startsWith(CLOSED) && !r.key.endsWith(baseline));
      return rival?.cells[column(found, "Effect size")]?.note;
    };
    expect(noEffect(null)).toBe("five blocks are needed");
    expect(noEffect("not-comparable")).toBe("not comparable");
  });
});

it("a change without a verdict has its interval, and counts the blocks that both entries have", () => {
  const few = changed(CLOSED, () => ({ verdict: null }));
  const row = overviewOf(en, { ...few, labels: [] }).trend?.rows.find((r) => r.key === CLOSED);
  // Each rival has five valid trials, and the baseline four.
  expect(row?.cells[1]?.note?.replaceAll("\u00a0", " ")).toBe(
    "+20.9 % to +37.9 %, 4 blocks in common, no verdict",
  );
});

it("where no p99 counts nobody has a rank, and the trend has the reason that the results have", () => {
  const lost = changed(RATE, (e) => ({
    rank: 1,
    ratio: null,
    verdict: null,
    percentiles: e.percentiles.map((p) => ({
      ...p,
      us: null,
      rankable: false,
      note: "does not count: late",
    })),
  }));
  const { table } = mainFigure(en, lost, RATE, styles);
  expect(new Set(table.rows.map((r) => r.cells[column(table, "Rank")]?.text))).toEqual(new Set(["–"]));
  expect(csv(table, 0, "rank")).toBeUndefined();
  const row = overviewOf(en, { ...lost, labels: [] }).trend?.rows.find((r) => r.key === RATE);
  expect(row?.cells[1]).toEqual({ text: "–", note: "does not count: late" });
});

it("a report from before notes had codes has one for each note", () => {
  const notes = run.summary?.scenarios.flatMap((s) => s.entries.flatMap((e) => e.percentiles)) ?? [];
  expect(notes.length).toBeGreaterThan(0);
  for (const p of notes) expect(p.note_code !== null, p.note ?? "").toBe(p.note !== null);
});

it("a bar without a figure has a short reason for where its trials leave little room", () => {
  const lost = changed(RATE, (e) => ({
    unranked_code: "percentile-does-not-count",
    unranked_reason: "p99 does not count: late",
    percentiles: e.percentiles.map((p) => ({ ...p, us: null })),
  }));
  const { chart } = mainFigure(en, lost, RATE, styles);
  const [row] = chart.kind === "bars" ? chart.rows : [];
  expect([row?.reason, row?.reasonShort]).toEqual(["p99 does not count: late", "p99 does not count"]);
});

it("a cost without a figure in any bar says why it has none", () => {
  const few = changed(CLOSED, () => ({ cpu_us_per_request: null, trials_valid: 2 }));
  for (const t of few.trials) if (t.result && t.scenario === CLOSED) t.result.requests = 1;
  expect(costFigure(en, refreshed(few), CLOSED, styles).empty).toContain(
    "oo few requests for this many connections",
  );
  const none = changed(CLOSED, () => ({ cpu_us_per_request: null, no_cpu_code: "no-valid-trial" }));
  none.trials = none.trials.filter((t) => t.scenario !== CLOSED);
  expect(costFigure(en, none, CLOSED, styles).empty).toBe("No valid trial.");
});

it("a range of which both ends are written alike is written once", () => {
  expect(formatRange(en, 133.1, 133.4, "per_s").replace("\u00a0", " ")).toBe("133 req/s");
  expect(formatRange(en, 1400, 1404, "bytes")).toBe("1.37\u00a0KiB");
  expect(formatRange(en, 132, 134, "per_s").replace("\u00a0", " ")).toBe("132 – 134 req/s");
});

it("a ratio of which nothing is known yet has no absurd ends", () => {
  const wide = changed(CLOSED, (e) => ({
    verdict: e.entry_key === baseline ? null : "no-difference",
    ratio: e.ratio && { estimate: 1.1, low: 0.0003, high: 40_000, confidence: 0.95 },
  }));
  const { table } = mainFigure(en, wide, CLOSED, styles);
  expect(table.rows.flatMap((r) => r.cells[4]?.note ?? [])).toContain("too wide");
  const row = overviewOf(en, { ...wide, labels: [] }).trend?.rows.find((r) => r.key === CLOSED);
  expect(row?.cells[1]?.note).toBe("too wide, no difference shown");
});

it("a change of a bounded ratio has an open end, and resources say who was the bottleneck", () => {
  const found = changed(CLOSED, (e) => ({ verdict: e.entry_key === baseline ? null : "faster" }));
  const { trend, resources } = overviewOf(en, { ...found, labels: [] });
  const notes = (table: TableModel | null) =>
    table?.rows.find((r) => r.key === CLOSED)?.cells.map((c) => c.note?.replaceAll("\u00a0", " "));
  expect(notes(trend)).toContain("+24.0 % to …, faster");
  expect(notes(trend)).toContain("+20.9 % to +37.9 %, faster");
  expect(notes(resources)?.filter((n) => n?.endsWith(", tool-bound"))).toHaveLength(1);
});

describe("a p99 that counts in some of the trials", () => {
  const partly = changed(RATE, (e) => ({
    percentiles: e.percentiles.map((p) =>
      p.p === 99 && p.us
        ? {
            ...p,
            us: { ...p.us, n: 3 },
            rankable: false,
            note_code: "counts-in-some",
            note: "counts in 3 of 5 trials: in the others, …",
          }
        : p,
    ),
  }));

  it("says so beside the bar, in the tables, the overview and the picture", () => {
    const main = mainFigure(en, partly, RATE, styles);
    expect(main.chart.kind === "bars" && main.chart.rows[0]?.note).toBe("counts in 3 of 5 trials");
    expect(main.table.rows[0]?.cells[5]?.note).toContain("p99 counts in 3 of 5 trials: in the others");
    const latency = latencyFigure(en, partly, RATE, styles).table;
    expect(latency.rows[0]?.cells[column(latency, "p99")]?.note).toBe("counts in 3 of 5 trials");
    expect(csv(latency, 0, "latency_p99_trials")).toBe(3);
    const cells = overviewOf(en, { ...partly, labels: [] })
      .workloads.flatMap((w) => w.table.rows)
      .find((r) => r.key === RATE)?.cells;
    expect(cells?.[1]?.note).toContain("counts in 3 of 5 trials");
    const picture = pictureOf(en, {
      runs: [{ ...partly, scenarios: partly.scenarios.filter((s) => s.id === RATE) }],
      title: "x",
    } as unknown as ReportSnapshot);
    expect(picture?.rows[0]?.figure).toMatch(/^counts in 3 of 5 trials, /);
  });

  it("is nothing to say where it counts in all", () => {
    const main = mainFigure(en, run, RATE, styles);
    expect(main.chart.kind === "bars" && main.chart.rows.map((r) => r.note)).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("a baseline that did not sustain its rate", () => {
  const late = dropping(run, baseline, 2);

  it("is labeled in its own row", () => {
    const { table, chart } = mainFigure(en, late, RATE, styles);
    const row = table.rows.find((r) => r.key === baseline);
    expect(row?.cells[5]).toEqual({ text: "baseline", note: "rate not sustained in 2 of 5 trials" });
    expect(row?.csv).toContain("rate not sustained in 2 of 5 trials");
    const bars = chart.kind === "bars" ? chart.rows : [];
    expect(bars.find((r) => r.key === baseline)?.note).toBe("rate not sustained");
    expect(bars.filter((r) => r.note !== null)).toHaveLength(1);
  });

  it("has trials that are read out as not counted, and drawn as no figure", () => {
    const { chart } = mainFigure(en, late, RATE, styles);
    const bar = chart.kind === "bars" ? chart.rows.find((r) => r.key === baseline) : undefined;
    expect(bar?.points.map((p) => p.doubt)).toEqual(["does not count", "does not count", null, null, null]);
    const said = specOf(en, chart)
      .stops.flat()
      .map((s) => s.text);
    expect(said.filter((text) => text.endsWith(", does not count"))).toHaveLength(2);
  });
});

it("bytes a second and latency lines of a tool at its limit are labeled as bounds", () => {
  const limited = changed(CLOSED, () => ({ lower_bound: true }));
  const bytes = timeFigure(en, courseOf(en, limited, CLOSED), styles, "bytes", null);
  expect(bytes.chart.kind === "time" && bytes.chart.lines.every((l) => l.name.endsWith(" (≥)"))).toBe(true);
  expect(bytes.summary).toContain("≥: the tool was the bottleneck");
  const bound = changed(RATE, () => ({ lower_bound: true, latency_bound: "at-most" }));
  const { chart } = latencyFigure(en, bound, RATE, styles);
  expect(chart.kind === "percentiles" && chart.lines.every((l) => l.name.endsWith(" (≤)"))).toBe(true);
  expect(JSON.stringify(latencyFigure(en, bound, CLOSED, styles).chart)).not.toContain("(≤)");
});

it("the highest latency of a curve is a bound where its percentiles are", () => {
  const points = [{ p: 50, us: 100 }];
  const of = {
    scenario: RATE,
    entry_key: baseline,
    trials: 5,
    count: 1000,
    resolution_us: 1,
    note: null,
    note_zh: null,
    over_time: null,
  };
  const curve = { ...of, max_us: 9000, corrected: false, points };
  const bound = changed(RATE, () => ({ lower_bound: true, latency_bound: "at-most" }));
  const highest = (one: ResultRun) => {
    const { table } = latencyFigure(en, one, RATE, styles, [curve]);
    return table.rows.find((r) => r.key === baseline)?.cells[column(table, "Highest")]?.text;
  };
  expect([highest(bound), highest(run)]).toEqual(["≤ 9.00\u00a0ms", "9.00\u00a0ms"]);
});

it("what the servers used stands beside who was the bottleneck", () => {
  const { table } = costFigure(en, run, CLOSED, styles);
  expect(table.rows.map((r) => r.cells[column(table, "Bottleneck")]?.text)).toEqual([
    "server-bound",
    "server-bound",
    "tool-bound",
    "–",
  ]);
  for (const row of table.rows) expect(row.csv).toHaveLength(table.csv.length);
});

it("the cost of a search is not told, which is not that it could not be read", () => {
  const costOf = (kind: "closed" | "knee") => {
    const one = changed(CLOSED, () => ({ cpu_us_per_request: null }));
    for (const s of one.scenarios) if (s.id === CLOSED) Object.assign(s.load, { kind });
    for (const t of one.trials) if (t.resources) t.resources.server_cpu_us = null;
    const { table, chart, empty } = costFigure(en, refreshed(one), CLOSED, styles);
    const row = chart.kind === "bars" ? chart.rows[0] : undefined;
    const reason = row?.reason;
    expect(row?.reasonShort).toBe(kind === "knee" ? "unknown for a search" : null);
    return { cell: table.rows[0]?.cells[column(table, "CPU per request")], reason, empty };
  };
  const why = "unknown for a search: the counters cover all its steps";
  expect(costOf("knee")).toEqual({ cell: { text: "–", note: why }, reason: why, empty: `CPU is ${why}.` });
  expect(costOf("closed").reason).toBe("CPU time could not be read here");
  expect(costOf("closed").empty).toContain("could not be read");
});

describe("rows of Markdown and pictures", () => {
  const rowsOf = (of: ResultRun, scenario: string) =>
    cardsOf({ runs: [of], title: "x" } as unknown as ReportSnapshot).find(
      (card) => card.scenario === scenario,
    )?.rows ?? [];
  const noteOf = (of: ResultRun, scenario: string, place: number) => rowsOf(of, scenario)[place]?.note;

  it("have the verdict in words, and who was the bottleneck", () => {
    // Without a verdict in their declared order.
    expect(noteOf(run, CLOSED, 2)).toBe("no verdict; tool-bound");
    expect(noteOf(run, RATE, 0)).toBe("faster; nothing saturated");
    expect(noteOf(run, RATE, 2)).toBe("nothing saturated");
    expect(noteOf(run, RATE, 3)).toMatch(/^failed verification/);
  });

  it("say that a rate was not sustained, and that a p99 counts in some of the trials", () => {
    const late = dropping(
      changed(RATE, (e) => ({
        percentiles: e.percentiles.map((p) =>
          p.p === 99 && p.us ? { ...p, us: { ...p.us, n: 3 }, note: "counts in 3 of 5 trials: …" } : p,
        ),
      })),
      baseline,
      2,
    );
    expect(noteOf(late, RATE, 2)).toBe(
      "rate not sustained in 2 of 5 trials; p99 counts in 3 of 5 trials: …; nothing saturated",
    );
  });

  it("end no phrase within a note as a sentence ends", () => {
    const late = dropping(
      changed(RATE, (e) => ({
        verdict: e.entry_key === baseline ? null : "not-comparable",
        sentence: "There is no verdict.",
      })),
      baseline,
      2,
    );
    expect(noteOf(late, RATE, 1)).toBe("not comparable: There is no verdict; nothing saturated");
  });

  it("have ratios with the open end of a bound, and no absurd ones", () => {
    expect(rowsOf(run, CLOSED)[2]?.ratio).toBe("≥ 1.341× (1.240× – …)");
    const wide = changed(CLOSED, (e) => ({
      ratio: e.ratio && { estimate: 1.1, low: 0.0003, high: 40_000, confidence: 0.95 },
    }));
    expect(rowsOf(wide, CLOSED)[1]?.ratio).toBe("1.100× (too wide)");
  });

  it("have a range of two trials or more, and say of nothing unknown what it would be", () => {
    const times = (n: number) =>
      changed(CLOSED, (e) => ({
        requests_per_s: e.requests_per_s && { ...e.requests_per_s, n, min: 9000, max: 9000 },
      }));
    expect(rowsOf(run, CLOSED)[0]?.range).toMatch(/req\/s – .*req\/s$/);
    expect(rowsOf(times(1), CLOSED)[0]?.range).toBe("–");
    expect(rowsOf(times(2), CLOSED)[0]?.range).toBe("9,000\u00a0req/s");
    const [card] = cardsOf({ runs: [run], title: "x" } as unknown as ReportSnapshot).filter(
      (c) => c.metric === "p99_us",
    );
    expect([card?.named("9 ms"), card?.named("–")]).toEqual(["9 ms p99", "–"]);
  });
});
