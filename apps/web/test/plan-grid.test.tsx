import type { PlanEntry, RunSpec } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { PlanFold } from "@/components/result/plan-fold";
import { PlanGrid } from "@/components/run/plan-grid";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { render } from "./words";

const run = withCodes(golden);
const styles = assignStyles(run.entries.map((e) => e.key));
const spec = {
  entries: [{ label: "a" }, { label: "b" }],
  scenarios: ["s"],
  repeats: 5,
  precision: 0.02,
  max_repeats: 8,
  seed: 42,
} as RunSpec;
const count = (html: string, what: RegExp): number => html.match(what)?.length ?? 0;
const grid = (entries: PlanEntry[], trials: TrialView[], planned: { least: number; most: number } | null) =>
  render(
    <PlanGrid
      spec={spec}
      entries={entries}
      planned={planned && { ...planned, looks: [planned.most], precision: 0.02 }}
      trials={trials}
      styles={styles}
    />,
  );

describe("the plan's grid", () => {
  it("shows the fewest and the most blocks before the host has drawn the order", () => {
    const html = grid([], [], null);
    expect(count(html, /scope="col"/g)).toBe(8);
    expect(count(html, /<td class="[^"]*border-dashed/g)).toBe(2 * 3);
    expect(html).toContain("blocks 6 to 8 are measured only if they are needed");
  });

  it("goes by the host's plan once that is there, whatever was asked for", () => {
    const trials = run.trials
      .filter((t) => t.scenario === "static-1k-ab")
      .map((t) => ({ ...t, state: "planned" as const }));
    expect(grid(run.entries, trials, { least: 3, most: 5 })).toContain("blocks 4 to 5 are measured only");
    expect(grid(run.entries, trials, { least: 5, most: 5 })).not.toContain("are measured only");
  });

  it("is drawn of a run that is over, with each place and how the trial ended", () => {
    const html = render(<PlanFold run={{ ...run, spec, blocks: null }} styles={styles} />);
    expect(html).toMatch(/^<details/);
    expect(count(html, /data-state="valid"/g)).toBe(run.trials.filter((t) => t.state === "valid").length);
    expect(html).toContain(">1 ✓<");
    expect(html).toContain(">4 ×<");
    expect(render(<PlanFold run={{ ...run, trials: [], spec, blocks: null }} styles={styles} />)).toBe("");
  });
});
