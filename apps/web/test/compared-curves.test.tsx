import { wordsIn } from "@rigmark/messages/catalogue";
import type { ComparedCurves, ComparisonView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { decades } from "@/components/chart/percentile-lines";
import { CurveChoice, CurveLegend } from "@/components/compare/compared-curves";
import { comparedIn, type ScenarioCompared } from "@/lib/results/compared";
import { comparedCurvesFigure, namesWithCurves } from "@/lib/results/compared-curves-figure";
import { render } from "./words";

const curve = (entry_key: string, us: number): ComparedCurves["runs"][number][number] => ({
  ...{ scenario: "kb", entry_key, trials: 5, count: 100_000, max_us: us * 9, resolution_us: 1 },
  ...{ corrected: false, note: null, note_zh: null },
  points: [50, 75, 90, 99].map((p) => ({ p, us: us * (p / 50) })),
});
const cell = (entry_key: string) =>
  ({ entry_key, latency_bound: null }) as ScenarioCompared["rows"][number]["cells"][number];
const scenario = {
  ...{ scenario: "kb", title: "1 KB", metric: "p99_us", load: { kind: "rate" } },
  rows: [
    { run: 0, cells: [cell("a0"), cell("b0")] },
    { run: 1, cells: [cell("a1"), null] },
  ],
} as unknown as ScenarioCompared;
const view = {
  runs: [{ host: { name: "pi" } }, { host: { name: "vm" } }],
  series: [
    { name: "nginx", changed: [[], ["build"]] },
    { name: "epoll", changed: [[], []] },
  ],
  scenarios: [],
} as unknown as ComparisonView;

describe("latency percentiles of compared runs", () => {
  const figureOf = (runs: ComparedCurves["runs"], chosen: string[] = []) =>
    comparedCurvesFigure(wordsIn("en"), comparedIn(view), scenario, { runs }, chosen);

  it("have a line an entry and run, in the color of the entry and the dash of the run", () => {
    const figure = figureOf([[curve("a0", 100), curve("b0", 80)], [curve("a1", 200)]]);
    const { chart } = figure ?? {};
    if (chart?.kind !== "percentiles") throw new Error("no chart");
    expect(chart.lines.map((line) => line.name)).toEqual(["nginx, run 1", "nginx, run 2", "epoll, run 1"]);
    const [first, again, other] = chart.lines.map((line) => line.style);
    expect(first?.hue).toBe(again?.hue);
    expect(first?.dash).not.toEqual(again?.dash);
    expect(other).toMatchObject({ dash: first?.dash, shape: first?.shape });
    expect(other?.hue).not.toBe(first?.hue);
    expect(figure?.table.columns.map((c) => c.title)).toEqual(["entry", "p50", "p90", "p99"]);
    expect(figure?.table.rows[1]?.csv).toEqual([
      ...["nginx, run 2", 2, "vm", "rate", ""],
      ...[200, 360, 396, null, null, 100_000, 5, "build"],
    ]);
  });

  it("have no line where no percentile counts, and say why", () => {
    const none = { points: [], note: "44.4 % of the requests were late", note_zh: null };
    const part = figureOf([[curve("a0", 100), { ...curve("b0", 80), ...none }]]);
    expect(drawnIn(part)).toEqual(["nginx, run 1"]);
    expect(part?.summary).not.toContain("Drawn:");
    expect(part?.table.rows[1]?.cells[0]).toEqual({
      text: "epoll, run 1",
      note: "44.4 % of the requests were late",
    });
    const all = figureOf([[{ ...curve("a0", 100), ...none }]]);
    expect(all?.empty).toBe(
      "No latency percentile counts here. nginx, run 1: 44.4 % of the requests were late.",
    );
    expect(decades(Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([]);
  });

  const three = [[curve("a0", 100), curve("b0", 80)], [curve("a1", 200)]];
  const drawnIn = (figure: ReturnType<typeof figureOf>) =>
    figure?.chart.kind === "percentiles" ? figure.chart.lines.map(({ name }) => name) : [];

  it("are drawn of the chosen entries only, each looking as before, and the table has all", () => {
    const [all, chosen] = [figureOf(three), figureOf(three, ["epoll"])];
    expect(all?.summary).not.toContain("Drawn:");
    expect(drawnIn(chosen)).toEqual(["epoll, run 1"]);
    expect(chosen?.summary).toContain(
      "Drawn: 1 of 3 lines; the table has all. Choose entries above to draw others.",
    );
    expect(chosen?.legend[0]?.style).toEqual(all?.legend[2]?.style);
    expect(chosen?.table.rows.map(({ style }) => style !== undefined)).toEqual([false, false, true]);
    const none = figureOf([[curve("a0", 100)], []], ["epoll"]);
    expect([drawnIn(none), none?.empty]).toEqual([
      [],
      "None of the chosen entries has a latency histogram here. The table has the others.",
    ]);
  });

  it("have a legend with each line that is drawn, and what of its entry changed", () => {
    const legend = figureOf(three)?.legend ?? [];
    expect(legend.map(({ name, changed }) => [name, changed])).toEqual([
      ["nginx, run 1", null],
      ["nginx, run 2", "another build"],
      ["epoll, run 1", null],
    ]);
    const html = render(<CurveLegend legend={legend} />);
    expect(html.match(/<svg/g)).toHaveLength(3);
    expect(html).toContain('nginx, run 2</bdi><span class="text-ink-2"> · another build</span>');
  });

  it("can be chosen among the entries that have any", () => {
    const compared = { ...comparedIn(view), scenarios: [scenario] };
    expect(namesWithCurves(compared, { runs: three })).toEqual(["nginx", "epoll"]);
    expect(namesWithCurves(compared, { runs: [[curve("a0", 100)], []] })).toEqual(["nginx"]);
    const choice = (names: string[], chosen: string[]) => render(<CurveChoice {...{ names, chosen }} />);
    const pressed = (html: string) =>
      [...html.matchAll(/aria-pressed="true"[^>]*>(?:<bdi[^>]*>)?([^<]*)/g)].map(([, text]) => text);
    expect(pressed(choice(["nginx", "epoll"], []))).toEqual(["All entries"]);
    expect(pressed(choice(["nginx", "epoll"], ["epoll"]))).toEqual(["epoll"]);
    expect(choice(["nginx"], [])).toBe("");
  });

  it("are no figure where no tool gave histograms, and stay readable with many runs", () => {
    expect(figureOf([[], []])).toBe(null);
    const many = Array.from({ length: 20 }, (_, run) => ({ run, cells: [cell("a"), cell("b")] }));
    const figure = comparedCurvesFigure(
      wordsIn("en"),
      comparedIn({ ...view, runs: many.map(() => view.runs[0]) } as ComparisonView),
      { ...scenario, rows: many },
      { runs: many.map(() => [curve("a", 100), curve("b", 90)]) },
    );
    const lines = figure?.chart.kind === "percentiles" ? figure.chart.lines : [];
    expect(lines).toHaveLength(16);
    expect(new Set(lines.map(({ style }) => `${style.hue} ${style.shape}`)).size).toBe(16);
    expect(figure?.summary).toContain("Each line has its own combination of color, dash and point.");
    expect(figure?.summary).toContain(
      "Drawn: 16 of 40 lines; the table has all. Choose entries above to draw others.",
    );
    expect(figure?.table.rows).toHaveLength(40);
    expect(figure?.table.rows[16]?.style).toBeUndefined();
  });

  it("of one entry in more runs than there is room for are not chosen among", () => {
    const many = Array.from({ length: 20 }, (_, run) => ({ run, cells: [cell("a")] }));
    const one = comparedIn({ ...view, series: view.series.slice(0, 1) });
    const runs = many.map(() => [curve("a", 100)]);
    const figure = comparedCurvesFigure(wordsIn("en"), one, { ...scenario, rows: many }, { runs });
    expect(figure?.summary).toContain("Drawn: 16 of 20 lines; the table has all.");
    expect(figure?.summary).not.toContain("Choose");
  });

  it("are bounds in chart and CSV where the tool was the bottleneck", () => {
    const cells = [{ ...cell("a"), latency_bound: "at-most" }];
    const bounded = { ...scenario, rows: [{ run: 0, cells }] } as unknown as ScenarioCompared;
    const runs = [[curve("a", 100)]];
    const figure = comparedCurvesFigure(wordsIn("en"), comparedIn(view), bounded, { runs });
    expect(figure?.chart.kind === "percentiles" && figure.chart.lines[0]?.name).toBe("nginx, run 1 (≤)");
    expect(figure?.table.rows[0]?.csv.slice(3, 5)).toEqual(["rate", "≤"]);
  });
});
