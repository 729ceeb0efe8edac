import { wordsIn } from "@rigmark/messages/catalogue";
import type { ComparisonView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { specOf } from "@/components/chart/spec";
import type { ChartTheme } from "@/components/chart/theme";
import { comparedIn } from "@/lib/results/compared";
import { ratioFigure } from "@/lib/results/ratio-figure";

const cell = (of: object) => ({
  ...{ entry_key: "e", baseline: false, verdict: null, ratio: null, ratio_bound: null, lower_bound: false },
  ...{ latency_bound: null, unranked_code: null, unranked_reason: null, sentence: "Not sent.", figure: null },
  ...{ not_sustained: null, blocks_in_common: null, partly: null },
  ...of,
});
const en = wordsIn("en");
const nginx = cell({ baseline: true, figure: { median: 1000 } });
const faster = cell({
  ...{ verdict: "faster", figure: { median: 1500 } },
  ratio: { estimate: 1.5, low: 1.4, high: 1.6, confidence: 0.95 },
});
const view = {
  runs: [{ host: { name: "pi" } }, { host: { name: "vm" } }],
  series: [
    { name: "nginx", changed: [[], []] },
    { name: "epoll", changed: [[], ["options", "build"]] },
  ],
  scenarios: [
    {
      ...{ scenario: "kb", title: "1 KB", metric: "requests_per_s", load: { kind: "closed" }, between: [] },
      rows: [
        { run: 0, cells: [nginx, faster] },
        { run: 1, cells: [null, faster] },
      ],
    },
  ],
} as unknown as ComparisonView;

describe("ratios of compared runs", () => {
  const of = comparedIn(view);
  const [scenario] = of.scenarios;
  if (!scenario) throw new Error("no scenario");
  const { chart, table } = ratioFigure(en, of, scenario);

  it("have a row an entry and run where the run has the baseline", () => {
    if (chart.kind !== "intervals") throw new Error("no intervals");
    expect(chart.rows.map((row) => row.text)).toEqual([
      expect.stringMatching(/^epoll, run 1: 1\.500.*1\.400.*1\.600.*faster$/),
    ]);
  });

  it("stand in the table all the same, with figures and with why there is no ratio", () => {
    expect(table.rows.map((row) => row.csv)).toEqual([
      ["nginx", 1, "pi", 1000, "", null, null, null, "", "", "", ""],
      ["epoll", 1, "pi", 1500, "", 1.5, 1.4, 1.6, "", "faster", "", ""],
      ["epoll", 2, "vm", 1500, "", 1.5, 1.4, 1.6, "", "faster", "", "options build"],
    ]);
    expect(table.rows[2]?.cells.at(-1)?.text).toBe("this run lacks the baseline");
  });

  it("say where the entry is not as in the first run that has it", () => {
    expect(table.rows.map((row) => row.cells[0]?.note)).toEqual([null, null, "other options, another build"]);
    const from = { ...of, scenarios: [{ ...scenario, rows: [{ run: 1, cells: [nginx, faster] }] }] };
    const drawn = ratioFigure(en, of, from.scenarios[0] as unknown as typeof scenario).chart;
    if (drawn.kind !== "intervals") throw new Error("no intervals");
    expect(drawn.rows[0]).toMatchObject({
      note: "other options, another build",
      text: expect.stringMatching(/faster, other options, another build$/),
    });
  });

  it("go to the browser without what nobody reads there", () => {
    expect(JSON.stringify(of)).not.toContain("Not sent.");
  });
});

/** A run of one baseline and one other entry. */
function figureOf(metric: string, baseline: object, other: object) {
  const load = { kind: metric === "p99_us" ? "rate" : "closed" };
  const of = comparedIn({
    ...view,
    runs: view.runs.slice(0, 1),
    scenarios: [
      {
        ...{ scenario: "kb", title: "1 KB", metric, load, between: [] },
        rows: [{ run: 0, cells: [cell({ baseline: true, ...baseline }), cell(other)] }],
      },
    ],
  } as unknown as ComparisonView);
  const [scenario] = of.scenarios;
  if (!scenario) throw new Error("no scenario");
  const figure = ratioFigure(en, of, scenario);
  const { csv, rows } = figure.table;
  const csvOf = (row: number, ...titles: string[]) => titles.map((t) => rows[row]?.csv[csv.indexOf(t)]);
  return { ...figure, csvOf, verdicts: rows.map((row) => row.cells.at(-1)) };
}

describe("where there is no verdict", () => {
  it("the reason stands in table and CSV, and a rate that was not sustained is labeled", () => {
    const why = "nginx, the baseline, did not sustain 5,000 requests a second, so there is no verdict.";
    const late = { trials: 2, of: 5, words: "rate not sustained in 2 of 5 trials", words_zh: "" };
    const { verdicts, csvOf, chart } = figureOf(
      "p99_us",
      {
        ...{ figure: { median: 900 }, not_sustained: late },
        partly: { n: 3, all: 5, note: "counts in 3 of 5 trials", note_zh: null },
      },
      { figure: { median: 800 }, verdict: "not-comparable", sentence: why },
    );
    const label = "rate not sustained in 2 of 5 trials; p99 counts in 3 of 5 trials";
    expect(verdicts).toEqual([
      { text: "", note: label },
      { text: "not comparable", note: why },
    ]);
    expect(csvOf(0, "why")).toEqual([label]);
    expect(csvOf(1, "verdict", "why")).toEqual(["not-comparable", why]);
    expect(chart.kind === "intervals" && chart.rows[0]?.reason).toBe(`not comparable: ${why}`);
  });

  it("blocks that are too few are counted", () => {
    const { verdicts } = figureOf("requests_per_s", {}, { figure: { median: 1 }, blocks_in_common: 3 });
    expect(verdicts[1]).toEqual({ text: "3 blocks in common, no verdict", note: null });
  });
});

describe("a ratio whose tool was the bottleneck", () => {
  const theme = { fill: () => "#000", edge: () => "#000", font: "x" } as unknown as ChartTheme;
  const drawn = (ratio_bound: "at-least" | "at-most") => {
    const ratio = { estimate: 1.5, low: 1.4, high: 1.6, confidence: 0.95 };
    const bounded = { verdict: "faster", figure: { median: 1500 }, ratio, ratio_bound, lower_bound: true };
    const figure = figureOf("requests_per_s", {}, bounded);
    const { data, options } = specOf(en, figure.chart).build(theme);
    const [bars, , arrows] = data.datasets;
    const axis = options?.scales?.x as unknown as { min: number; max: number };
    return { ...figure, bar: bars?.data[0], arrows, axis };
  };

  it("is a bound in the CSV, and has an interval with an open end in the chart", () => {
    const up = drawn("at-least");
    expect(up.csvOf(1, "bound", "ratio_bound")).toEqual(["≥", "≥"]);
    expect(up.bar).toMatchObject({ x: [expect.closeTo(Math.log2(1.4)), up.axis.max] });
    expect(up.arrows).toMatchObject({ data: [{ x: up.axis.max, y: 0.16 }], pointRotation: [90] });
    expect(up.summary).toContain("the interval is open on that side");
    const down = drawn("at-most");
    expect(down.bar).toMatchObject({ x: [down.axis.min, expect.closeTo(Math.log2(1.6))] });
    expect(down.arrows).toMatchObject({ data: [{ x: down.axis.min, y: 0.16 }], pointRotation: [-90] });
  });
});
