import { ComparedCell, type ComparisonView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { FigureChoice } from "@/components/compare/figure-choice";
import { RatioTable } from "@/components/compare/ratio-table";
import type { CellFigure } from "@/lib/compare-path";
import { cellFigure } from "@/lib/results/cell-figure";
import { comparedIn } from "@/lib/results/compared";
import { ratioFigure } from "@/lib/results/ratio-figure";
import { en, render } from "./words";

const spread = (median: number, n = 5) => ({ n, median, min: median / 2, max: median * 2, cv: null });
const percentile = (p: number, us: number | null, note: string | null, n = 5) => ({
  ...{ p, us: us === null ? null : spread(us, n), rankable: false, note },
  note_code: us === null ? "not-printed" : n < 5 ? "counts-in-some" : null,
});
/** As the API sends it: what the schema does not have is not there. */
const cell = (of: object): ComparedCell =>
  ComparedCell.parse({
    ...{ entry_key: "e", baseline: false, verdict: null, ratio: null, ratio_bound: null, lower_bound: false },
    ...{ unranked_reason: null, sentence: "", figure: spread(1000), partly: null, trials_valid: 5 },
    ...{ requests_per_s: spread(1000), cpu_us_per_request: spread(12), rss_peak_bytes: spread(4 * 2 ** 20) },
    percentiles: [percentile(50, 250, null), percentile(99, 900, null)],
    ...of,
  });
const shown = (figure: CellFigure, of: object = {}, metric: "requests_per_s" | "p99_us" = "requests_per_s") =>
  cellFigure(en, figure)(cell(of), metric);
const spaces = (text: string | null) => text?.replaceAll(/\s/gu, " ") ?? null;

describe("the figure below a ratio", () => {
  it("is written with its unit and what it is", () => {
    expect(spaces(shown("throughput").figure)).toBe(spaces(en.quantity(1000, "per_s")));
    expect(spaces(shown("p50").figure)).toBe(spaces(`p50 ${en.quantity(250, "us")}`));
    expect(spaces(shown("p99").figure)).toBe(spaces(`p99 ${en.quantity(900, "us")}`));
    expect(spaces(shown("cpu").figure)).toBe(spaces(`${en.quantity(12, "us")} CPU per request`));
    // The peak of all trials, as on the page of a run.
    expect(shown("memory").figure).toBe(en.quantity(8 * 2 ** 20, "bytes"));
  });

  it("stays a bound where the load tool was the bottleneck", () => {
    const bounded = { lower_bound: true, latency_bound: "at-most" };
    expect(shown("throughput", bounded).figure).toBe(en.bound(1000, "per_s", "≥"));
    expect(shown("p99", bounded).figure).toContain("≤");
    expect(shown("cpu", bounded).figure).not.toMatch(/[≥≤]/);
  });

  it("is a dash with its reason where it is unknown", () => {
    const note = "does not count: ab did not print it";
    expect(shown("p99", { percentiles: [percentile(99, null, note)] })).toEqual({
      ...{ figure: "–", note: `p99 ${note}` },
    });
    expect(shown("p50", { percentiles: [] })).toEqual({ figure: "–", note: null });
    expect(shown("throughput", { requests_per_s: null })).toEqual({ figure: "–", note: null });
    expect(shown("cpu", { cpu_us_per_request: null, no_cpu_code: "not-read" })).toEqual({
      ...{ figure: "–", note: "CPU time could not be read here" },
    });
    expect(shown("memory", { rss_peak_bytes: null })).toEqual({
      ...{ figure: "–", note: "memory could not be read here" },
    });
  });

  it("says in how many trials a percentile counts, unless the cell says so of what ranks", () => {
    const some = { percentiles: [percentile(99, 900, "counts in 3 of 5 trials", 3)] };
    expect(shown("p99", some).note).toMatch(/^p99 .*3 of 5/);
    expect(shown("p99", some, "p99_us").note).toBe(null);
    expect(shown("memory", { rss_peak_bytes: null, trials_valid: 0 }).note).toBe(null);
  });
});

describe("a table with another figure", () => {
  const ratio = { estimate: 1.5, low: 1.4, high: 1.6, confidence: 0.95 };
  const view = {
    runs: [{ run_id: "x", report: null, host: { name: "pi" } }],
    series: ["nginx", "epoll"].map((name) => ({ name, changed: [[]] })),
    scenarios: [
      {
        ...{ scenario: "kb", title: "1 KB", metric: "requests_per_s", load: { kind: "closed" }, between: [] },
        rows: [{ run: 0, cells: [cell({ baseline: true }), cell({ verdict: "faster", ratio })] }],
      },
    ],
  } as unknown as ComparisonView;
  const tableOf = (figure?: CellFigure) => {
    const of = comparedIn(view, figure && cellFigure(en, figure));
    return { of, html: render(<RatioTable workspace="home" of={of} runs={view.runs} />) };
  };

  it("has it in place of the median, beside the same ratio and verdict", () => {
    const memory = en.quantity(8 * 2 ** 20, "bytes");
    const rate = en.quantity(1000, "per_s");
    const [own, other] = [tableOf(), tableOf("memory")];
    expect(own.html.split(rate)).toHaveLength(3);
    expect(own.html).not.toContain(memory);
    expect(other.html.split(memory)).toHaveLength(3);
    expect(other.html.replaceAll(memory, rate)).toBe(own.html);
    const [scenario] = other.of.scenarios;
    if (!scenario) throw new Error("no scenario");
    // Their column is that of what ranks.
    expect(ratioFigure(en, other.of, scenario).table.rows[1]?.csv[3]).toBe(1000);
  });

  it("is sent to the browser without what it is read from", () => {
    expect(JSON.stringify(tableOf("memory").of)).not.toMatch(/percentiles|rss_peak_bytes|trials_valid/);
  });
});

describe("the choice of the figure", () => {
  const choice = (figure?: CellFigure) =>
    render(<FigureChoice workspace="home" state={{ runIds: ["x"], only: "different", figure }} />);

  it("keeps the rest of the address", () => {
    const html = choice();
    expect(html).toContain('href="/w/home/compare?runs=x&amp;only=different"');
    expect(html).toContain('href="/w/home/compare?runs=x&amp;only=different&amp;figure=memory"');
    expect(html).toMatch(/aria-current="true"[^>]*>Ranking metric/);
    expect(html).not.toContain('class="note"');
  });

  it("says whose the ratios stay", () => {
    expect(choice("cpu")).toMatch(/aria-current="true"[^>]*>CPU per request/);
    expect(choice("cpu")).toMatch(/verdicts are still those of each scenario&#x27;s ranking metric\.<\/p>/);
    expect(choice("p50")).toContain("Latencies from closed-loop load");
  });
});
