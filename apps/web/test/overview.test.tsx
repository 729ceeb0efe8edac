import { wordsIn } from "@rigmark/messages/catalogue";
import type { Suite } from "@rigmark/protocol";
import type { ScenarioSummary } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { OverviewTables } from "@/components/result/overview";
import { ScenarioResults } from "@/components/result/scenario-results";
import { mainFigure } from "@/lib/results/main-figure";
import { type HrefOf, type OverviewRun, overviewOf } from "@/lib/results/overview";
import { singleShots } from "@/lib/results/single-shots";
import { assignStyles } from "@/lib/series-style";
import { refreshed, withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en, render } from "./words";

const result = withCodes(golden);
const run: OverviewRun = { ...result, labels: [] };
const styles = assignStyles(run.entries.map((e) => e.key));

describe("the overview of a run", () => {
  const { workloads, resources, trend } = overviewOf(en, run);
  const tables = [...workloads.map((w) => w.table), resources, ...(trend ? [trend] : [])];

  it("has a table a workload, with every scenario once", () => {
    expect(workloads.map((w) => w.workload)).toEqual([...new Set(run.scenarios.map((s) => s.workload))]);
    expect(workloads.flatMap((w) => w.table.rows.map((r) => r.key)).sort()).toEqual(
      run.scenarios.map((s) => s.id).sort(),
    );
  });

  it("has in every cell a figure, or why there is none", () => {
    for (const table of tables) {
      for (const row of table.rows) {
        expect(row.cells).toHaveLength(table.columns.length);
        expect(row.csv).toHaveLength(table.csv.length);
        for (const cell of row.cells) if (cell.text === "–") expect(cell.note, table.caption).toBeTruthy();
      }
    }
  });

  it("can be had as CSV, every table of it, with the load and with bounds that name their figures", () => {
    const html = render(<OverviewTables run={run} suite={null} name="x" />);
    for (const title of [...workloads.map((w) => w.workload), "Resources", "Trend"])
      expect(html).toContain(`aria-label="Download ${title} as CSV"`);
    for (const table of tables) {
      expect(table.csv.slice(0, 3)).toEqual(["scenario", "load", "metric"]);
      expect(
        table.csv.filter((t) => t.endsWith("bound") && !/(requests_per_s|p99_us|ratio)_bound$/.test(t)),
      ).toEqual([]);
    }
    const limited = structuredClone(result);
    for (const t of limited.trials) t.limit = "generator-bound";
    const bounded: OverviewRun = { ...refreshed(limited), labels: [] };
    for (const s of bounded.summary?.scenarios ?? []) for (const e of s.entries) e.lower_bound = true;
    const read = (scenario: string, title: string) => {
      const found = overviewOf(en, bounded).workloads.find((w) =>
        w.table.rows.some((r) => r.key === scenario),
      );
      const name = `${run.entries.find((e) => e.baseline)?.label} ${title}`;
      return found?.table.rows.find((r) => r.key === scenario)?.csv[found.table.csv.indexOf(name)];
    };
    const bounds = (scenario: string) =>
      ["requests_per_s_bound", "p99_us_bound"].map((t) => read(scenario, t));
    // The times of a closed loop are those of the load: the tool's limit makes no bound of them.
    expect(bounds("static-1k-ab")).toEqual(["≥", ""]);
    expect(bounds("plaintext-rate-k6")).toEqual(["≥", "≤"]);
  });

  it("leads from each title to where it is told to, and nowhere without; the CSV is the same", () => {
    const linked = overviewOf(en, run, ({ id }) => `#at-${id}`);
    const [first] = linked.workloads;
    expect(first?.table.rows.map((row) => row.cells[0]?.href)).toEqual(
      first?.table.rows.map((row) => `#at-${row.key}`),
    );
    for (const table of [...linked.workloads.map((w) => w.table), linked.resources])
      for (const row of table.rows) expect(row.cells.slice(1).flatMap((c) => c.href ?? [])).toEqual([]);
    expect(linked.resources.rows.map((row) => row.csv)).toEqual(resources.rows.map((row) => row.csv));
    const tables = (hrefOf?: HrefOf) =>
      render(<OverviewTables run={run} suite={null} name="x" {...(hrefOf && { hrefOf })} />);
    expect(tables(({ id }) => `#at-${id}`)).toContain(`<a class="link" href="#at-${run.scenarios[0]?.id}">`);
    expect(tables()).not.toContain('class="link"');
  });

  it("writes the same figures as the scenario's own table", () => {
    const scenario = run.scenarios[0]?.id ?? "";
    const own = mainFigure(en, result, scenario, styles).table.rows.map((r) => r.cells[2]?.text);
    const row = workloads.flatMap((w) => w.table.rows).find((r) => r.key === scenario);
    expect(
      row?.cells
        .slice(1, -1)
        .map((c) => c.text)
        .sort(),
    ).toEqual(own.sort());
  });

  it("says why nobody wins in the language of the page, of reports from before it was said in Chinese too", () => {
    const why = (no_winner_zh: string | null) => {
      const one = structuredClone(run);
      const none: Partial<ScenarioSummary> = { winner_key: null, no_winner: "equal medians", no_winner_zh };
      for (const s of one.summary?.scenarios ?? []) Object.assign(s, none);
      return overviewOf(wordsIn("zh"), one).workloads[0]?.table.rows[0]?.cells.at(-1)?.note;
    };
    expect([why("中位数相等"), why(null)]).toEqual(["中位数相等", "中位数相同"]);
  });

  it("says of a pair that was not planned that the server does not claim the workload", () => {
    const [entry] = run.entries;
    const [scenario] = run.scenarios;
    if (!entry || !scenario) throw new Error("an entry and a scenario are needed");
    const without = {
      ...run,
      trials: run.trials.filter((t) => t.entry_key !== entry.key || t.scenario !== scenario.id),
      summary: run.summary && {
        ...run.summary,
        scenarios: run.summary.scenarios.map((s) => ({
          ...s,
          entries: s.entries.filter((e) => s.scenario !== scenario.id || e.entry_key !== entry.key),
        })),
      },
      labels: [
        {
          code: "not-claimed",
          entry_key: entry.key,
          message: `It does not claim ${scenario.workload}: ${scenario.id} was not run.`,
        },
      ],
    };
    const table = overviewOf(en, without).workloads.find((w) => w.workload === scenario.workload)?.table;
    const row = table?.rows.find((r) => r.key === scenario.id);
    expect(row?.cells[1]).toEqual({ text: "–", note: `does not claim ${scenario.workload}` });
  });

  it("says why a figure of what was used is missing: a search tells no CPU, whatever could be read", () => {
    const scenario = run.scenarios[0]?.id ?? "";
    const cellOf = (kind: "closed" | "knee", rss: boolean) => {
      const one = structuredClone(result);
      for (const s of one.scenarios) if (s.id === scenario) Object.assign(s.load, { kind });
      for (const t of one.trials) if (t.resources) t.resources.server_cpu_us = null;
      for (const s of one.summary?.scenarios ?? [])
        for (const e of s.entries)
          Object.assign(e, {
            cpu_us_per_request: null,
            bytes_per_request: null,
            limit: "server-bound",
            ...(rss ? {} : { rss_peak_bytes: null }),
          });
      const { resources } = overviewOf(en, { ...refreshed(one), labels: [] });
      return resources.rows.find((r) => r.key === scenario)?.cells[1];
    };
    const search = "CPU unknown for a search: the counters cover all its steps";
    expect(cellOf("knee", true)).toEqual({ text: "11.0\u00a0MiB", note: `server-bound, ${search}` });
    expect(cellOf("closed", true)).toEqual({
      text: "11.0\u00a0MiB",
      note: "server-bound, CPU time could not be read here",
    });
    expect(cellOf("knee", false)).toEqual({
      text: "–",
      note: `server-bound, memory could not be read here, ${search}`,
    });
  });

  it("shows what was published beside it, as the words of others", () => {
    const suite: Suite = {
      schema: 1,
      id: "static-files",
      title: "Static files",
      summary: "",
      source: { title: "ANX <b>", machine: "Raspberry Pi" },
      entries: [{ label: "a", server: "a", options: {} }],
      baseline: "a",
      scenarios: [run.scenarios[0]?.id ?? ""],
      repeats: 5,
      duration_s: null,
      published: [
        {
          scenario: run.scenarios[0]?.id ?? "",
          server: "ANX",
          entry: null,
          requests_per_s: 8598.6,
          latency_us: 11_630,
          note: null,
        },
      ],
      mended: ["CPU was read at rest."],
    };
    const html = render(<OverviewTables run={run} suite={suite} name="x" />);
    expect(html).toContain("8,599\u00a0req/s");
    expect(html).toContain("11.6\u00a0ms");
    expect(html).toContain("ANX &lt;b&gt;");
    expect(html).toContain("not ranked here");
  });
});

describe("single tool runs", () => {
  it("are a table of their own, a row a trial, and absent where no load was given as a count", () => {
    const scenario = run.scenarios[0]?.id ?? "";
    expect(singleShots(en, result, scenario, styles)).toBeNull();
    const shots = result.trials.map((t) => ({ ...t, single_shot: t.result }));
    const table = singleShots(en, { ...result, trials: shots }, scenario, styles);
    const measured = shots.filter((t) => t.scenario === scenario && t.single_shot);
    expect(table?.rows).toHaveLength(measured.length);
    for (const row of table?.rows ?? []) expect(row.csv).toHaveLength(table?.csv.length ?? 0);
  });

  it("can be had as CSV", () => {
    const trials = result.trials.map((t) => ({ ...t, single_shot: t.result }));
    const html = render(
      <ScenarioResults
        run={{ ...result, trials }}
        scenario={run.scenarios[0]?.id ?? ""}
        curves={[]}
        styles={styles}
        name="x"
      />,
    );
    expect(html).toContain('aria-label="Download Single tool runs as CSV"');
  });
});
