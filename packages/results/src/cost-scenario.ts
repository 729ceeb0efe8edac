import type { RunSpec, Scenario } from "@rigmark/protocol";
import { entryArgument, option } from "./shell";
import type { RunSummary } from "./view/summary";

/**
 * The bundled scenarios that are judged by the server's processor time, of which the load tool is no part. Held against
 * packages/scenarios by a test. Without schemas: a public report's browser code needs it.
 */
export const COST_SCENARIOS: readonly Pick<Scenario, "id" | "workload" | "path">[] = [
  { id: "files-1k-cpu", workload: "static", path: "/1k.bin" },
  { id: "plaintext-cpu", workload: "plaintext", path: "/plaintext" },
  { id: "script-cpu", workload: "static", path: "/script.js" },
  { id: "sum-cpu", workload: "json-sum", path: "/json-sum" },
  { id: "ws-cpu", workload: "ws-echo", path: "/ws" },
];

/** What to measure instead where the tool was the bottleneck: of the same workload, and of the same path where there is one. */
export function costScenario(of: Pick<Scenario, "workload" | "path">): string | null {
  const fitting = COST_SCENARIOS.filter((s) => s.workload === of.workload);
  return (fitting.find((s) => s.path === of.path) ?? fitting[0])?.id ?? null;
}

interface Limited {
  spec: Pick<RunSpec, "entries" | "baseline">;
  scenarios: readonly Pick<Scenario, "id" | "workload" | "path">[];
  summary: Pick<RunSummary, "scenarios"> | null;
}

/** The scenarios to measure where the tool was the bottleneck, and the command that does. Null where it was not, or none fits. */
export function costInstead(run: Limited): { scenarios: string[]; command: string } | null {
  const limited = (id: string): boolean =>
    run.summary?.scenarios.find((s) => s.scenario === id)?.no_verdict?.code === "tool-limit";
  const wanted = run.scenarios.flatMap((s) => (limited(s.id) ? [costScenario(s)] : []));
  const scenarios = [...new Set(wanted.filter((id): id is string => id !== null))];
  if (scenarios.length === 0) return null;
  const words = [
    "rigmark",
    "run",
    ...run.spec.entries.map((entry) => option("server", entryArgument(entry))),
    ...scenarios.map((id) => option("scenario", id)),
    ...(run.spec.baseline === null ? [] : [option("baseline", run.spec.baseline)]),
  ];
  return { scenarios, command: words.join(" ") };
}
