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
    load += measured * (measuredS(spec, s) + (spec.warmup_s ?? ownWarmUp(spec, s)));
  }
  return {
    min_s: Math.round(least * (load + trials * TRIAL_OVERHEAD_S.min) + entries * BUILD_S.min),
    max_s: Math.round(most * (load + trials * TRIAL_OVERHEAD_S.max) + entries * BUILD_S.max),
  };
}

type Durations = Pick<Scenario, "duration_s"> & Partial<Pick<Scenario, "id" | "load">>;

const askedS = ({ duration_s }: Pick<PlannedSpec, "duration_s">, scenario: Durations): number =>
  (setsDuration(scenario.id ?? "") ? null : duration_s) ?? scenario.duration_s;

/** A search for a rate takes its own seconds, however few are asked for. */
function measuredS(spec: Pick<PlannedSpec, "duration_s">, scenario: Durations): number {
  const least = scenario.load?.kind === "knee" ? scenario.duration_s : 0;
  return Math.max(askedS(spec, scenario), least);
}

/** As the agent plans it (`warm_up_s`): a trial shorter than the scenario's own has a shorter warm-up. */
function ownWarmUp(
  spec: Pick<PlannedSpec, "duration_s">,
  scenario: Durations & Pick<Scenario, "warmup_s">,
): number {
  const asked = askedS(spec, scenario);
  if (asked >= scenario.duration_s) {
    return scenario.warmup_s;
  }
  const share = Math.max(asked * 0.1, 0.2, (scenario.warmup_s * asked) / scenario.duration_s);
  return Math.min(scenario.warmup_s, share);
}

/** From a catalogue: which server answers which workload. */
export const claimsOf =
  (servers: readonly Pick<CatalogueServer, "name" | "workloads">[]) =>
  (server: string, workload: Workload): boolean =>
    // Requests of somebody's own are for every server.
    workload === "http" || (servers.find((s) => s.name === server)?.workloads.includes(workload) ?? false);
