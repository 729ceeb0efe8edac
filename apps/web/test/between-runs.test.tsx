import type { ComparisonView } from "@rigmark/results";
import { expect, it } from "vitest";
import { BetweenRuns } from "@/components/compare/between-runs";
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
