import type { Latency } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { ScenarioResults } from "@/components/result/scenario-results";
import { printedLatency } from "@/lib/results/printed-latency";
import type { ResultRun } from "@/lib/results/shape";
import { assignStyles } from "@/lib/series-style";
import { refreshed, withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en, render } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const CLOSED = "static-1k-ab";
const RATE = "plaintext-rate-k6";
const baseline = run.entries.find((e) => e.baseline)?.key ?? "";

/** The golden run with the latencies of the baseline's trials changed, in the order of their blocks. */
function printing(scenario: string, change: (block: number) => Partial<Latency>): ResultRun {
  const copy = structuredClone(run);
  for (const t of copy.trials)
    if (t.scenario === scenario && t.entry_key === baseline && t.result?.latency)
      Object.assign(t.result.latency, change(t.block));
  return copy;
}
const made = (of: ResultRun, scenario: string) => {
  const found = printedLatency(en, refreshed(of), scenario, styles);
  if (!found) throw new Error("a table is needed");
  const row = found.table.rows.find((r) => r.key === baseline);
  const csv = (title: string) => row?.csv[found.table.csv.indexOf(title)];
  return { ...found, cells: row?.cells ?? [], csv };
};

describe("latency as the tool printed it", () => {
  it("is the median of the valid trials, in each column its own", () => {
    // The baseline's trial of the fourth block is invalid: 9000 is nobody's. Of the four left the lower of the middle two.
    const of = printing(CLOSED, (block) => ({
      mean_us: [400, 100, 300, 9000, 200][block] ?? null,
      stdev_us: [50, 10, 20, 9000, 40][block] ?? null,
      min_us: [0, 0, 0, 9000, 0][block] ?? null,
      max_us: [7000, 1000, 2500, 9000, 3000][block] ?? null,
    }));
    const { cells, csv, table } = made(of, CLOSED);
    expect(cells.slice(1)).toEqual([
      { text: "200\u00a0µs", note: null },
      { text: "20\u00a0µs", note: null },
      { text: "0\u00a0µs", note: null },
      { text: "2.50\u00a0ms", note: null },
    ]);
    expect(["mean_us", "stdev_us", "min_us", "max_us", "mean_us_trials"].map(csv)).toEqual([
      200, 20, 0, 2500, 4,
    ]);
    for (const row of table.rows) {
      expect(row.cells).toHaveLength(table.columns.length);
      expect(row.csv).toHaveLength(table.csv.length);
    }
  });

  it("says of which load it is, that it is not ranked, and whether the tool corrected it", () => {
    const closed = made(run, CLOSED);
    expect(new Set(closed.table.columns.slice(1).map((c) => c.note))).toEqual(
      new Set(["closed loop: not ranked"]),
    );
    expect(closed.summary).toContain("(closed loop, not ranked)");
    expect(closed.summary).toContain("Not corrected: ab added no samples");
    expect(closed.csv("corrected")).toBe(false);
    const corrected = structuredClone(run);
    for (const t of corrected.trials) if (t.result?.latency) t.result.latency.corrected = true;
    expect(made(corrected, CLOSED).summary).toContain("Corrected by ab: it added samples");
    expect(made(run, RATE).table.columns[1]?.note).toBe("fixed rate: not ranked");
  });

  it("has a dash for what was not printed, and names the tool", () => {
    const none = structuredClone(run);
    for (const t of none.trials) if (t.result?.latency) t.result.latency.stdev_us = null;
    const k6 = made(none, RATE);
    expect(k6.cells[2]).toEqual({ text: "–", note: null });
    expect(k6.csv("stdev_us")).toBeNull();
    expect(k6.summary).toContain("k6 does not print these figures, shown as “–”: standard deviation.");
    for (const t of none.trials)
      if (t.scenario === RATE && t.result?.latency) t.result.latency.mean_us = null;
    expect(made(none, RATE).summary).toContain(
      "standard deviation. Also shown as “–”, because they were not printed here, or only in steps coarser than a 20th of their value: mean.",
    );
    expect(made(none, CLOSED).summary).toContain(
      "ab does not print these figures, or only in steps coarser than a 20th of their value; they are shown as “–”: standard deviation.",
    );
    expect(made(run, CLOSED).summary).not.toContain("–");
  });

  it("says of how many trials a figure is that not all of them have", () => {
    const some = made(
      printing(CLOSED, (block) => ({ mean_us: block < 2 ? null : 500 })),
      CLOSED,
    );
    expect(some.cells[1]).toEqual({ text: "500\u00a0µs", note: "2 of 4 trials" });
    expect(some.summary).toContain("they are shown as “–”: mean.");
  });

  it("has at most the delay of a tool at its limit in its times, and no bound of their deviation", () => {
    const limited = structuredClone(run);
    for (const t of limited.trials) t.limit = "generator-bound";
    const { cells, csv } = made(limited, RATE);
    expect(cells.slice(1).map((c) => c.text.startsWith("≤ "))).toEqual([true, false, true, true]);
    expect(csv("mean_min_max_bound")).toBe("≤");
    expect(made(limited, CLOSED).csv("mean_min_max_bound")).toBe("");
  });

  it("is until the first byte where the scenario's times are", () => {
    const first = structuredClone(run);
    for (const s of first.scenarios) s.latency_until = "first-byte";
    expect(made(first, CLOSED).summary).toMatch(/^Time from request to the first byte; /);
    expect(made(run, CLOSED).summary).toMatch(/^Time from request to response; /);
  });

  it("is absent where no valid trial has any of it", () => {
    const bare = structuredClone(run);
    for (const t of bare.trials)
      if (t.result?.latency && t.state === "valid")
        Object.assign(t.result.latency, { mean_us: null, stdev_us: null, min_us: null, max_us: null });
    expect(printedLatency(en, refreshed(bare), CLOSED, styles)).toBeNull();
    expect(printedLatency(en, run, "no such scenario", styles)).toBeNull();
  });

  it("stands on the page with its CSV, in a box that scrolls by itself", () => {
    const html = render(<ScenarioResults run={run} scenario={CLOSED} curves={[]} styles={styles} name="x" />);
    expect(html).toContain('aria-label="Download Latency as the tool printed it as CSV"');
    expect(html).toMatch(
      /<div role="group" aria-label="Latency as the tool printed it, median of trials"[^>]*class="scroll-x/,
    );
  });
});
