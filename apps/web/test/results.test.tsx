import type { LatencyCurve, ReportSnapshot } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { ticksBetween } from "@/components/chart/intervals";
import { decades } from "@/components/chart/percentile-lines";
import { specOf } from "@/components/chart/spec";
import type { ChartTheme } from "@/components/chart/theme";
import { byteStep, secondsTick } from "@/components/chart/time-lines";
import { ScenarioResults } from "@/components/result/scenario-results";
import { TrialsTable } from "@/components/result/trials-table";
import { VerifyList } from "@/components/result/verify-list";
import { costFigure } from "@/lib/results/cost-figure";
import { courseOf } from "@/lib/results/course";
import { latencyFigure } from "@/lib/results/latency-figure";
import { type Figure, mainFigure } from "@/lib/results/main-figure";
import { pictureOf } from "@/lib/results/picture";
import type { ResultRun } from "@/lib/results/shape";
import { knownMetrics, metricsWithCourse, timeFigure } from "@/lib/results/time-figure";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en, render } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const CLOSED = "static-1k-ab";
const RATE = "plaintext-rate-k6";

describe("figures of a run", () => {
  it("write a rate that the tool cut off as a lower bound", () => {
    const figure = mainFigure(en, run, CLOSED, styles);
    expect(figure.title).toBe("Throughput");
    const rate = (name: string) => figure.table.rows.find((r) => r.cells[0]?.text.startsWith(name))?.cells[2];
    expect(rate("io_uring")?.text).toMatch(/^≥ [\d,]+\u00a0req\/s$/);
    expect(rate("epoll")?.text).not.toContain("≥");
  });

  it("never rank what failed verification, and say why", () => {
    const { table, chart } = mainFigure(en, run, CLOSED, styles);
    const last = table.rows.at(-1);
    expect(last?.cells[1]?.text).toBe("–");
    expect(last?.cells[5]?.note).toContain("143360 of 286720 bytes");
    expect(specOf(en, chart).stops.at(-1)?.[0]?.text).toContain("failed verification");
  });

  it("rank by p99 under a fixed rate", () => {
    expect(mainFigure(en, run, RATE, styles).title).toBe("Latency p99");
    expect(latencyFigure(en, run, RATE, styles).summary).toContain("fixed-rate");
    expect(latencyFigure(en, run, CLOSED, styles).summary).toContain("not ranked");
  });

  it("have the same figures as picture, table and CSV", () => {
    for (const make of [mainFigure, latencyFigure, costFigure]) {
      const { table, empty } = make(en, run, CLOSED, styles);
      expect(empty).toBeNull();
      for (const row of table.rows) {
        expect(row.cells).toHaveLength(table.columns.length);
        expect(row.csv).toHaveLength(table.csv.length);
      }
    }
  });

  it("draw bytes where a tool prints no rate", () => {
    const ids = new Set(run.trials.filter((t) => t.scenario === RATE).map((t) => t.trial_id));
    expect(knownMetrics(run.series.filter((s) => ids.has(s.trial_id)))).toEqual(["bytes", "cpu", "memory"]);
    expect(timeFigure(en, courseOf(en, run, RATE), styles, "rate", null).empty).toBe(
      "This tool prints no rate while it runs.",
    );
  });

  it("know a course from a single sample", () => {
    const series = (rates: (number | null)[]) => [
      {
        trial_id: "t",
        entry_key: "k",
        downsampled: false,
        points: rates.map((requests_per_s, i) => ({
          t_s: i,
          window: i === 0 ? ("warm-up" as const) : ("measure" as const),
          requests_per_s,
          rate_source: "tool" as const,
          bytes_per_s: null,
          server_cpu_cores: 1,
          tool_cpu_cores: null,
          server_rss_bytes: null,
        })),
      },
    ];
    expect(metricsWithCourse(series([1, 1, 1, 1]))).toEqual(["rate", "cpu"]);
    expect(metricsWithCourse(series([1, 1, 1, null]))).toEqual(["cpu"]);
    expect(metricsWithCourse(series([1, 1, 1]))).toEqual([]);
    expect(metricsWithCourse([])).toEqual([]);
  });

  it("step latencies by 1, 2 and 5", () => {
    expect(decades(140, 5200)).toEqual([200, 500, 1000, 2000, 5000]);
    expect(decades(310, 420)).toEqual([310, 420]);
  });

  it("step far apart ratios alike, however small", () => {
    expect(ticksBetween(0.02, 1)).toEqual([0.02, 0.05, 0.1, 0.2, 0.5, 1]);
    expect(ticksBetween(0.0009, 1)).toHaveLength(4);
  });

  it("step bytes in powers of 1024", () => {
    expect(byteStep([{ points: [{ t_s: 0, value: 7.6 * 1024 ** 2 }] }])).toBe(2 * 1024 ** 2);
    expect(byteStep([])).toBeGreaterThan(0);
  });
});

describe("a winner", () => {
  /** The golden run whose first scenario has this winner, or none for this reason. */
  const decided = (winner: string | null, why: string | null): ResultRun => {
    const copy = structuredClone(run);
    const summary = copy.summary?.scenarios.find((s) => s.scenario === CLOSED);
    if (summary) Object.assign(summary, { winner_key: winner, no_winner: why });
    return copy;
  };
  const first = run.entries.find((e) => e.label.startsWith("io_uring"))?.key ?? "";
  const seen = (one: ResultRun) => {
    const { table, chart } = mainFigure(en, one, CLOSED, styles);
    const picture = pictureOf(en, { runs: [one], title: "x" } as unknown as ReportSnapshot);
    return {
      bars: chart.kind === "bars" ? chart.rows.filter((r) => r.winner).map((r) => r.key) : null,
      spoken: specOf(en, chart).stops.flatMap((s) => (s[0]?.text.includes("the winner") ? [s[0].text] : [])),
      table: table.rows.filter((r) => r.cells[1]?.note === "winner").map((r) => r.key),
      bold: picture?.rows.filter((r) => r.winner).map((r) => r.key),
      headline: picture?.headline,
      sentence: picture?.sentence,
    };
  };

  it("stands out in bars, table and picture, with its figure", () => {
    const shown = seen(decided(first, null));
    for (const keys of [shown.bars, shown.table, shown.bold]) expect(keys).toEqual([first]);
    expect(shown.spoken).toHaveLength(1);
    expect(shown.headline).toMatch(/^io_uring, .*: ≥ [\d,]+\u00a0req\/s$/);
  });

  it("is nobody where no verdict shows one, whatever the medians say", () => {
    const sentence = run.summary?.scenarios.find((s) => s.scenario === CLOSED)?.sentence;
    for (const one of [decided(null, "4 blocks, no verdict"), run]) {
      const shown = seen(one);
      for (const keys of [shown.bars, shown.spoken, shown.table, shown.bold]) expect(keys).toEqual([]);
      expect(shown.headline).toBeNull();
      expect(shown.sentence).toBe(sentence);
    }
  });

  it("alone leads: without a verdict there is no rank, and the order is the declared one", () => {
    // A report from before ranks needed a verdict: it has the order of the medians, and no verdict.
    const { table, chart } = mainFigure(en, decided(null, "4 blocks, no verdict"), CLOSED, styles);
    expect(new Set(table.rows.map((r) => r.cells[1]?.text))).toEqual(new Set(["–"]));
    expect(table.caption).toContain("not ranked");
    const declared = run.entries.map((e) => e.key);
    expect(table.rows.map((r) => r.key)).toEqual(declared);
    expect(chart.kind === "bars" && chart.rows.map((r) => r.key)).toEqual(declared);
  });
});

it("percentiles over trials are called what they are, in the column", () => {
  const { columns } = latencyFigure(en, run, RATE, styles).table;
  expect(new Set(columns.slice(1).map((c) => c.note))).toEqual(new Set(["fixed rate, median of trials"]));
  const closed = latencyFigure(en, run, CLOSED, styles).table;
  expect(new Set(closed.columns.slice(1).map((c) => c.note))).toEqual(
    new Set(["closed loop, median of trials"]),
  );
  expect(closed.rows[0]?.csv[1]).toBe("closed");
  expect(mainFigure(en, run, RATE, styles).table.columns[2]).toMatchObject({
    title: "p99 latency",
    note: "median of trials",
  });
  const html = render(<ScenarioResults run={run} scenario={RATE} curves={[]} styles={styles} name="x" />);
  expect(html).toContain("median of trials</span>");
});

describe("results as markup", () => {
  const html = render(<ScenarioResults run={run} scenario={CLOSED} curves={[]} styles={styles} name="x" />);

  it("have a caption, a text for each picture, and the table without any script", () => {
    // Four charts, the latency that the tool printed, and what each entry answers for what it uses.
    expect(html.match(/<figure/g)?.length).toBe(6);
    expect(html.match(/role="img"/g)?.length).toBe(4);
    expect(html).toContain("<figcaption");
    expect(html).toContain("81,356");
  });

  it("begin with the table of the cost where the costs are what is ranked: no picture stands twice", () => {
    const drawn = (metric: "requests_per_s" | "cpu_us_per_request") => {
      const of = structuredClone(run);
      for (const s of of.summary?.scenarios ?? []) if (s.scenario === CLOSED) s.metric = metric;
      const html = render(
        <ScenarioResults run={of} scenario={CLOSED} curves={[]} styles={styles} name="r" />,
      );
      return [html.match(/<canvas/g)?.length, html.includes("Memory, peak")];
    };
    const [canvases, table] = drawn("requests_per_s");
    expect(table).toBe(false);
    expect(drawn("cpu_us_per_request")).toEqual([Number(canvases) - 1, true]);
  });

  it("keep names of agents as text", () => {
    const evil = structuredClone(run);
    for (const entry of evil.entries)
      entry.label = `<img src=x onerror=alert(1)>\u001b[31m\u202e,"${entry.label}"`;
    const page =
      render(<ScenarioResults run={evil} scenario={CLOSED} curves={[]} styles={styles} name="x" />) +
      render(
        <TrialsTable
          trials={evil.trials}
          entries={evil.entries}
          scenarios={evil.scenarios}
          styles={styles}
        />,
      );
    expect(page).not.toContain("<img");
    expect(page).not.toContain("\u001b");
    expect(page).not.toContain("\u202e");
  });

  it("name both byte counts of a failed verification", () => {
    const list = render(<VerifyList verify={run.verify} conformance={[]} entries={run.entries} />);
    expect(list).toContain("143,360 of 286,720 bytes");
  });

  it("list each way in which an entry failed verification, the same one once", () => {
    const failed = run.verify.filter((v) => v.status === "failed").slice(0, 1);
    const another = failed.map((v) => ({
      ...v,
      checks: v.checks.map((c) => (c.status === "failed" ? { ...c, message: "2k.bin is empty." } : c)),
    }));
    const verify = [...failed, ...failed, ...another];
    const list = render(<VerifyList verify={verify} conformance={[]} entries={run.entries} />);
    expect(list.match(/data-tone="bad"/g)).toHaveLength(2);
    expect(list).toContain("before a trial, 2 times.");
    expect(list).toContain("2k.bin is empty.");
  });
});

it("seconds on an axis have the same decimals, a minus, and no digits of a clock", () => {
  const written = (...values: number[]) =>
    values.map((v) =>
      secondsTick(
        v,
        values.map((value) => ({ value })),
      ),
    );
  expect(written(-1.4, -0.5, 0, 1)).toEqual(["−1.4", "−0.5", "0", "1.0"]);
  expect(written(-12, -10, 0)).toEqual(["−12", "−10", "0"]);
  const { chart } = timeFigure(en, courseOf(en, run, CLOSED), styles, "bytes", null);
  if (chart.kind !== "time") throw new Error("a course is needed");
  const theme = { fill: () => "", edge: () => "", font: "" } as unknown as ChartTheme;
  const { options } = specOf(en, { ...chart, from_s: -11.9994 }).build(theme);
  expect(options?.scales?.x?.min).toBe(-12);
});

describe("latency curves", () => {
  it("name who was measured and has none, and nobody who is not ranked", () => {
    expect(latencyFigure(en, run, CLOSED, styles).summary).not.toContain("No percentile");
    const bare = structuredClone(run);
    const [first] = bare.summary?.scenarios.find((s) => s.scenario === CLOSED)?.entries ?? [];
    if (!first) throw new Error("the golden run has entries");
    first.percentiles = [];
    const name = bare.entries.find((e) => e.key === first.entry_key)?.label;
    expect(latencyFigure(en, bare, CLOSED, styles).summary).toContain(`No percentile of ${name} counts:`);
  });

  it("say why no percentile counts, each reason once", () => {
    const lost = structuredClone(run);
    const entries = lost.summary?.scenarios.find((s) => s.scenario === RATE)?.entries ?? [];
    for (const e of entries)
      e.percentiles = [
        {
          p: 50,
          us: null,
          rankable: false,
          note_code: "lost",
          note: "does not count: 14.8 % were late",
          note_zh: null,
        },
      ];
    const compared = new Set(entries.flatMap((e) => (e.unranked_reason === null ? [e.entry_key] : [])));
    const names = mainFigure(en, lost, RATE, styles)
      .table.rows.flatMap((r) => (compared.has(r.key) ? [r.cells[0]?.text] : []))
      .join(", ");
    expect(latencyFigure(en, lost, RATE, styles).empty).toBe(
      `No percentile of ${names} counts: p50 does not count: 14.8 % were late.`,
    );
  });

  it("do not blame a tool for what several runs of it cannot have together", () => {
    const shots = structuredClone(run);
    for (const s of shots.scenarios) if (s.id === CLOSED) Object.assign(s.load, { kind: "count" });
    for (const e of shots.summary?.scenarios.find((s) => s.scenario === CLOSED)?.entries ?? [])
      e.percentiles = [
        {
          p: 50,
          us: null,
          rankable: false,
          note_code: "not-printed",
          note: "does not count: ab did not print it",
          note_zh: null,
        },
      ];
    const said = latencyFigure(en, shots, CLOSED, styles).empty;
    expect(said).toContain("percentiles cannot be added.");
    expect(said).not.toContain("did not print it");
  });

  it("show a line that has a single point", () => {
    const [line] = lines(latencyFigure(en, run, CLOSED, styles, [curve(CLOSED, 10)]));
    const theme = { fill: () => "", edge: () => "", font: "" } as unknown as ChartTheme;
    const { datasets } = specOf(en, { kind: "percentiles", lines: line ? [line] : [] }).build(theme).data;
    expect(datasets[0]).toMatchObject({ pointRadius: [4.5] });
  });

  const key = run.entries[0]?.key ?? "";
  const curve = (scenario: string, highest: number): LatencyCurve => ({
    scenario,
    entry_key: key,
    trials: 5,
    count: 250_000,
    max_us: 9000,
    resolution_us: 0.001,
    corrected: false,
    points: [10, 50, 80, 90, 98, 99, 99.8, 99.9, 99.98, 99.99]
      .filter((p) => p <= highest)
      .map((p) => ({ p, us: 100 + 20 * p })),
    note: highest < 99.99 ? "0.02 % of the requests were dropped, late or failed" : null,
    note_zh: null,
    over_time: null,
  });
  const lines = (figure: Figure) => (figure.chart.kind === "percentiles" ? figure.chart.lines : []);

  it("go to p99.99, with a marker and a column at each nine, and keep the load's label", () => {
    const figure = latencyFigure(en, run, CLOSED, styles, [curve(CLOSED, 99.99)]);
    const [line] = lines(figure);
    expect(line?.points.filter((x) => !x.minor).map((x) => x.p)).toEqual([50, 90, 99, 99.9, 99.99]);
    expect(line?.points.every((x) => !x.rankable)).toBe(true);
    expect(figure.table.columns.slice(1, 6).map((c) => [c.title, c.note])).toEqual(
      [50, 90, 99, 99.9, 99.99].map((p) => [`p${p}`, "closed loop, all trials"]),
    );
    expect(figure.summary).toContain("not ranked");
    for (const row of figure.table.rows) {
      expect(row.cells).toHaveLength(figure.table.columns.length);
      expect(row.csv).toHaveLength(figure.table.csv.length);
    }
    expect(figure.table.rows.find((r) => r.key !== key)?.cells[1]).toMatchObject({
      text: "–",
      note: "no histogram",
    });
  });

  it("say in the cell why they end", () => {
    const both = [curve(CLOSED, 99.9), { ...curve(CLOSED, 99.99), entry_key: run.entries[1]?.key ?? "" }];
    const row = latencyFigure(en, run, CLOSED, styles, both).table.rows.find((r) => r.key === key);
    expect(row?.cells[5]?.note).toContain("dropped, late or failed");
  });

  it("leave the printed percentiles alone where the tool gives no histogram", () => {
    const figure = latencyFigure(en, run, RATE, styles, [curve(CLOSED, 99.99)]);
    expect(figure.title).toBe("Latency percentiles");
    expect(lines(figure).every((line) => line.points.every((x) => !x.minor))).toBe(true);
  });
});
