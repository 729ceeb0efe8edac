import type { ComparisonView } from "@rigmark/results";
import { expect, it } from "vitest";
import { BetweenRuns } from "@/components/compare/between-runs";
import { render } from "./words";

const queued = { host: { host_id: "pi", name: "pi" }, published_by: null, state: "succeeded" };
const notesOf = (...runs: Record<string, unknown>[]) => {
  const view = { runs, series: [], scenarios: [] } as unknown as ComparisonView;
  const html = render(<BetweenRuns comparison={view} />);
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
    `${notMeasured} in the others.`,
  ]);
});
