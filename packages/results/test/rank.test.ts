import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { COST_SCENARIOS, costInstead, costScenario } from "../src/cost-scenario";
import { entriesOf, rankInWords, rankOf } from "../src/rank";
import type { EntrySummary, ScenarioSummary } from "../src/view/summary";

type Verdict = EntrySummary["verdict"];
const DECLARED = ["base", "a", "b", "c"].map((key) => ({ key, baseline: key === "base" }));

/** As reports have them from before `rank_to`: by their medians. */
const old = (entries: [string, Verdict, string?][], winner: string | null = null) =>
  ({
    winner_key: winner,
    no_winner: winner ? null : "no difference shown",
    entries: entries.map(([entry_key, verdict, unranked_reason = null], i) => ({
      entry_key,
      verdict,
      unranked_reason,
      rank: unranked_reason ? null : i + 1,
    })),
  }) as unknown as ScenarioSummary;

const shown = (scenario: ScenarioSummary) =>
  entriesOf(scenario, DECLARED).map((e) => [e.entry_key, rankInWords(rankOf(scenario, e, "base"))]);

describe("the ranks of a report from before they needed a verdict", () => {
  it("are none without a verdict, and the order is the declared one", () => {
    const few = old([
      ["b", null],
      ["a", null],
      ["base", null],
    ]);
    expect(shown(few)).toEqual([
      ["base", "–"],
      ["a", "–"],
      ["b", "–"],
    ]);
  });

  it("are those that the stored verdicts show", () => {
    const some = old([
      ["a", "faster"],
      ["c", "faster"],
      ["base", null],
      ["b", "slower"],
    ]);
    expect(shown(some)).toEqual([
      ["a", "1–2"],
      ["c", "1–2"],
      ["base", "3"],
      ["b", "4"],
    ]);
    const level = old([
      ["b", "no-difference"],
      ["a", "faster"],
      ["base", null],
      ["c", "not-comparable", "failed verification: x"],
    ]);
    expect(shown(level)).toEqual([
      ["a", "1–2"],
      ["base", "2–3"],
      ["b", "–"],
      ["c", "–"],
    ]);
  });

  it("know the winner", () => {
    const won = old(
      [
        ["a", "faster"],
        ["c", "faster"],
        ["base", null],
      ],
      "a",
    );
    expect(shown(won)).toEqual([
      ["a", "1"],
      ["c", "2"],
      ["base", "3"],
    ]);
  });

  it("are none where the baseline is compared with nobody", () => {
    const failed = old([
      ["a", "not-comparable"],
      ["b", "not-comparable"],
      ["base", null, "failed verification: x"],
    ]);
    expect(shown(failed).map(([, rank]) => rank)).toEqual(["–", "–", "–"]);
  });
});

it("new ranks are shown as they come", () => {
  const scenario = old([
    ["b", "faster"],
    ["base", null],
  ]);
  scenario.entries.forEach((e, i) => {
    Object.assign(e, { rank: i === 0 ? 1 : null, rank_to: i === 0 ? 2 : null });
  });
  expect(shown(scenario)).toEqual([
    ["b", "1–2"],
    ["base", "–"],
  ]);
});

describe("where the tool was the bottleneck", () => {
  const folder = join(import.meta.dirname, "../../scenarios/scenarios");
  const all = readdirSync(folder).map((file) => JSON.parse(readFileSync(join(folder, file), "utf8")));

  it("the bundled scenarios by processor time are offered", () => {
    const bundled = all
      .filter((s) => s.judged_by === "cpu_us_per_request")
      .map(({ id, workload, path }) => ({ id, workload, path }));
    expect([...COST_SCENARIOS].sort((a, b) => a.id.localeCompare(b.id))).toEqual(
      bundled.sort((a, b) => a.id.localeCompare(b.id)),
    );
    expect(costScenario({ workload: "static", path: "/script.js" })).toBe("script-cpu");
    expect(costScenario({ workload: "static", path: "/10m.bin" })).toBe("files-1k-cpu");
    expect(costScenario({ workload: "upload", path: "/upload" })).toBeNull();
  });

  it("the command measures the same servers", () => {
    const run = (code: string) => ({
      spec: {
        entries: [
          { server: "nginx", label: "nginx", options: {} },
          { server: "epoll", label: "my own", options: { workers: 2 } },
        ],
        baseline: "nginx",
      },
      scenarios: [{ id: "s", workload: "plaintext", path: "/plaintext" }],
      summary: { scenarios: [{ scenario: "s", no_verdict: { code } }] },
    });
    const of = (code: string) => costInstead(run(code) as unknown as Parameters<typeof costInstead>[0]);
    expect(of("no-difference")).toBeNull();
    expect(of("tool-limit")).toEqual({
      scenarios: ["plaintext-cpu"],
      command:
        "rigmark run --server=nginx=nginx --server='my own=epoll:workers=2' --scenario=plaintext-cpu --baseline=nginx",
    });
  });
});
