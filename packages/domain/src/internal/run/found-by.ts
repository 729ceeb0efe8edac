import type { RunSpec } from "@rigmark/protocol";

/** What a run is found by, of its spec: each name once. */
export const foundBy = ({ entries, scenarios }: Pick<RunSpec, "entries" | "scenarios">) => ({
  servers: [...new Set(entries.map((e) => e.server))].sort(),
  scenarios: [...new Set(scenarios)],
});
