import type { CatalogueServer, RunSpec, Scenario, Workload } from "@rigmark/protocol";
import { blockRange } from "./blocks";
import { setsDuration } from "./scenario-numbers";

/** Seconds beside the load itself: start, verify before and after, stop. Cold builds come on top, once an entry. */
const TRIAL_OVERHEAD_S = { min: 0.5, max: 4 };
const BUILD_S = { min: 0, max: 60 };

export interface PlannedRange {
  min_s: number;
  max_s: number;
}

type PlannedSpec = Pick<RunSpec, "entries" | "repeats" | "duration_s" | "warmup_s"> &
  Partial<Pick<RunSpec, "precision" | "max_repeats">>;

/**
 * How long a run may take, for the page before queueing: with a precision from its fewest blocks to its limit. The agent
 * expands the plan; the app shows a range of durations and nothing more.
 */
export function plannedRange(
  spec: PlannedSpec,
  scenarios: readonly (Pick<Scenario, "duration_s" | "warmup_s" | "workload"> &
    Partial<Pick<Scenario, "id" | "load">>)[],
  /** Does a server answer a workload? What none claims is not measured, and takes no time. */
  claims: (server: string, workload: Workload) => boolean = () => true,
): PlannedRange {
  const entries = spec.entries.length;
  const { least, most } = blockRange({
    precision: null,
    max_repeats: null,
    ...spec,
    scenarios: scenarios.map(() => ""),
  });
  let trials = 0;
  let load = 0;
  for (const s of scenarios) {
    const measured = spec.entries.filter((entry) => claims(entry.server, s.workload)).length;
    trials += measured;
    load += measured * (measuredS(spec, s) + (spec.warmup_s ?? s.warmup_s));
  }
  return {
    min_s: Math.round(least * (load + trials * TRIAL_OVERHEAD_S.min) + entries * BUILD_S.min),
    max_s: Math.round(most * (load + trials * TRIAL_OVERHEAD_S.max) + entries * BUILD_S.max),
  };
}

/** A search for a rate takes its own seconds, however few are asked for. */
function measuredS(
  { duration_s }: Pick<PlannedSpec, "duration_s">,
  scenario: Pick<Scenario, "duration_s"> & Partial<Pick<Scenario, "id" | "load">>,
): number {
  const least = scenario.load?.kind === "knee" ? scenario.duration_s : 0;
  const asked = setsDuration(scenario.id ?? "") ? null : duration_s;
  return Math.max(asked ?? scenario.duration_s, least);
}

/** From a catalogue: which server answers which workload. */
export const claimsOf =
  (servers: readonly Pick<CatalogueServer, "name" | "workloads">[]) =>
  (server: string, workload: Workload): boolean =>
    // Requests of somebody's own are for every server.
    workload === "http" || (servers.find((s) => s.name === server)?.workloads.includes(workload) ?? false);
