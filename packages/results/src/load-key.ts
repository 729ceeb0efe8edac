import type { Scenario } from "@rigmark/protocol";

/** What has to be the same for figures to stand in one table; words and the length of a trial need not. */
export function loadKey(scenario: Scenario, metric: string): string {
  const { id, tool, workload, path, http, load, payload, in_flight, latency_until } = scenario;
  // Stored with standings, so that what has no requests of its own keeps its key.
  const own = http ? [http] : [];
  return JSON.stringify(
    [id, tool, workload, path, load, payload, in_flight, latency_until, metric, ...own],
    inOneOrder,
  );
}

/** PostgreSQL keeps the fields of an object in another order than the schema that a report is read with. */
const inOneOrder = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
