import type { PlanEntry } from "@rigmark/protocol";
import type { EntrySummary, ReportRun, ReportSnapshot, ScenarioSummary } from "@rigmark/results";
import { COMMON_BASELINE, type LeftOut } from "@rigmark/results/leaderboard";
import { loadKey } from "@rigmark/results/load-key";
import { rankingOf, signOf } from "@rigmark/results/ranking";
import { cpusOf, line, machineOf } from "./listing";

/** Rows of one report, and characters of a name and of a title. */
const [MOST_STANDINGS, NAME_CHARS, TITLE_CHARS] = [500, 120, 200];

/** How each entry of a report did against the common baseline, for the leaderboards. */
export const standingsOf = ({ runs }: ReportSnapshot) =>
  runs
    .flatMap((run, place) =>
      (run.summary?.scenarios ?? [])
        .filter((summary) => rankingOf(summary.metric).ranks)
        .flatMap((summary) => ofScenario(run, place + 1, summary)),
    )
    .slice(0, MOST_STANDINGS)
    .map((row, place) => ({ standing_no: place + 1, ...row }));

function ofScenario(run: ReportRun, run_no: number, { scenario, metric, entries }: ScenarioSummary) {
  const definition = run.scenarios.find((each) => each.id === scenario);
  // A load of somebody's own has a name that others may use for another one.
  if (!definition || definition.workload === "http") return [];
  const baseline = run.entries.find((entry) => entry.baseline);
  // One with a revision was named by its path: a server of somebody's own may have the same name.
  const common = baseline?.server === COMMON_BASELINE && baseline.revision === undefined ? baseline : null;
  return entries.flatMap((summary) => {
    const entry = run.entries.find((each) => each.key === summary.entry_key);
    if (!entry || entry.baseline) return [];
    const left_out = !common ? "baseline" : otherWorkers(entry, common) ? "workers" : leftOut(summary);
    const ratio = left_out === null ? summary.ratio : null;
    return {
      run_no,
      ...{ scenario_id: line(scenario, NAME_CHARS), title: line(definition.title, TITLE_CHARS) },
      ...{ tool: definition.tool, metric, load: loadKey(definition, metric) },
      ...{ label: line(entry.label, NAME_CHARS), server: line(entry.server, NAME_CHARS) },
      machine: line(machineOf(run.host), TITLE_CHARS),
      arch: line(run.host.arch ?? "", NAME_CHARS),
      cpu: line(cpusOf(run.host) ?? "", NAME_CHARS),
      ...{ ratio: ratio?.estimate ?? null, low: ratio?.low ?? null, high: ratio?.high ?? null },
      verdict: left_out === null ? summary.verdict : null,
      left_out,
    };
  });
}

/** More than these are threads that wait for a request each, as Spring's 200 are, and say nothing of the cores in use. */
const MOST_ON_CORES = 64;

/** Eight workers against one show what seven more are worth. Who does not declare them may have any number. */
function otherWorkers(a: PlanEntry, b: PlanEntry): boolean {
  const [one, other] = [workersOf(a), workersOf(b)];
  return one !== null && other !== null && one !== other;
}

function workersOf({ options }: PlanEntry): number | null {
  const workers = options.workers ?? options.threads ?? null;
  return workers !== null && workers > MOST_ON_CORES ? null : workers;
}

function leftOut(entry: EntrySummary): LeftOut | null {
  if (entry.unranked_code === "tool-limit" || signOf(entry) !== null) return "tool-limit";
  if (entry.unranked_code !== null) return "not-counted";
  const compared = entry.ratio !== null && entry.verdict !== null && entry.verdict !== "not-comparable";
  return compared ? null : "no-verdict";
}
