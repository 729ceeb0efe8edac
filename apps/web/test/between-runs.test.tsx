import type { ComparisonView } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { BetweenRuns } from "@/components/compare/between-runs";
import type { CompareState } from "@/lib/compare-path";
import { render } from "./words";

const queued = { host: { host_id: "pi", name: "pi" }, published_by: null, state: "succeeded" };
const notesOf = (...runs: Record<string, unknown>[]) => {
  const view = { runs, series: [], scenarios: [] } as unknown as ComparisonView;
  const html = render(<BetweenRuns workspace="home" comparison={view} />);
  return [...html.matchAll(/<p class="note">([^<]*)</g)].map(([, text]) => text);
};

it("says why no run is compared with another of its host", () => {
  const notMeasured = "No entry was measured twice under the same load on one host";
  const file = { ...queued, published_by: "Ada" };
  expect(notesOf(queued, queued)).toEqual([`${notMeasured}.`]);
  expect(notesOf(file, file)).toEqual([expect.stringContaining("published from a file")]);
  expect(notesOf(queued, { ...queued, state: "cancelled" })).toEqual([
    "Only runs that succeeded are compared run by run.",
  ]);
  expect(notesOf(queued, queued, { ...queued, state: "measuring" })).toEqual([
    "Only runs that succeeded are compared run by run.",
    "In the other runs, no entry was measured twice under the same load on one host.",
  ]);
});

it("leads from a pair to the history of the entry on its host, and says what of it changed", () => {
  const pair = {
    series: 0,
    label: "main",
    a: 0,
    b: 1,
    changed: ["server"],
    verdict: "faster",
    reason: null,
    sentence: "epoll is faster.",
  };
  const load = { scenario: "plaintext-ab", title: "Plaintext", metric: "requests_per_s", between: [pair] };
  const htmlOf = (host_id: string | null) => {
    const runs = [queued, { ...queued, host: { host_id, name: "pi" } }];
    const view = { runs, series: [{ name: "epoll" }], scenarios: [load] } as unknown as ComparisonView;
    return render(<BetweenRuns workspace="home" comparison={view} />);
  };
  const html = htmlOf("pi");
  expect(html).toContain('href="/w/home/history?host=pi&amp;scenario=plaintext-ab&amp;entry=main"');
  expect(html).toContain('aria-label="History of main"');
  expect(html).toContain("another server");
  expect(htmlOf(null)).not.toContain("/history");
});

describe("more pairs than are read one by one", () => {
  const pair = (b: number, verdict: string | null, estimate: number) => ({
    ...{ series: 0, label: `build ${b}`, a: 0, b, changed: [], verdict, sentence: "" },
    ...{ reason: verdict === null ? "Too few runs." : null, ratio_of_medians: estimate },
    ratio: { estimate, low: estimate, high: estimate, confidence: 0.95 },
  });
  const between = Array.from({ length: 10 }, (_, n) =>
    n < 9 ? pair(n + 1, "slower", 0.9 - n / 100) : pair(n + 1, null, 5),
  );
  const load = { scenario: "plaintext-ab", title: "Plaintext", metric: "requests_per_s", between };
  const runs = Array.from({ length: 11 }, (_, n) => ({
    ...queued,
    host: { host_id: n === 3 ? null : "pi", name: "pi" },
  }));
  const view = { runs, series: [{ name: "epoll" }], scenarios: [load] } as unknown as ComparisonView;
  const htmlOf = (choice: Pick<CompareState, "only" | "order">) =>
    render(<BetweenRuns workspace="home" comparison={view} {...choice} />);
  const runsIn = (html: string) =>
    [...html.matchAll(/Run (?:<!-- -->)?(\d+)(?:<!-- -->)? against/g)].map(([, n]) => Number(n));

  it("keep their links to the histories in the table", () => {
    const html = htmlOf({});
    expect(html).toContain("<table");
    const links = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);
    expect(links).toHaveLength(9);
    expect(links[0]).toBe("/w/home/history?host=pi&amp;scenario=plaintext-ab&amp;entry=build+1");
    expect(html).toContain('aria-label="History of build 10"');
    expect(html).not.toContain("History of build 3");
  });

  it("follow the choice of rows and their order", () => {
    expect(runsIn(htmlOf({}))).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(runsIn(htmlOf({ order: "size" }))).toEqual([10, 9, 8, 7, 6, 5, 4, 3, 2, 11]);
    const slower = htmlOf({ only: "slower" });
    expect(runsIn(slower)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(slower).toContain("1 comparison not shown to be worse is left out.");
    const faster = htmlOf({ only: "faster" });
    expect(runsIn(faster)).toEqual([]);
    expect(faster).toContain("10 comparisons not shown to be better are left out.");
    expect(faster).not.toContain("was measured twice");
  });
});
