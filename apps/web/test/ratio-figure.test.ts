import { wordsIn } from "@rigmark/messages/catalogue";
import type { ComparisonView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { comparedIn } from "@/lib/results/compared";
import { ratioFigure } from "@/lib/results/ratio-figure";

const cell = (of: object) => ({
  ...{ entry_key: "e", baseline: false, verdict: null, ratio: null, ratio_bound: null, lower_bound: false },
  ...{ latency_bound: null, unranked_code: null, unranked_reason: null, sentence: "Not sent.", figure: null },
  ...of,
});
const nginx = cell({ baseline: true, figure: { median: 1000 } });
const faster = cell({
  ...{ verdict: "faster", figure: { median: 1500 } },
  ratio: { estimate: 1.5, low: 1.4, high: 1.6, confidence: 0.95 },
});
const view = {
  runs: [{ host: { name: "pi" } }, { host: { name: "vm" } }],
  series: [{ name: "nginx" }, { name: "epoll" }],
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
  const { chart, table } = ratioFigure(wordsIn("en"), of, scenario);

  it("have a row an entry and run where the run has the baseline", () => {
    if (chart.kind !== "intervals") throw new Error("no intervals");
    expect(chart.rows.map((row) => row.text)).toEqual([
      expect.stringMatching(/^epoll, run 1: 1\.500.*1\.400.*1\.600.*faster$/),
    ]);
  });

  it("stand in the table all the same, with figures and with why there is no ratio", () => {
    expect(table.rows.map((row) => row.csv)).toEqual([
      ["nginx", 1, "pi", 1000, null, null, null, ""],
      ["epoll", 1, "pi", 1500, 1.5, 1.4, 1.6, "faster"],
      ["epoll", 2, "vm", 1500, 1.5, 1.4, 1.6, "faster"],
    ]);
    expect(table.rows[2]?.cells.at(-1)?.text).toBe("this run lacks the baseline");
  });

  it("go to the browser without what nobody reads there", () => {
    expect(JSON.stringify(of)).not.toContain("Not sent.");
  });
});
