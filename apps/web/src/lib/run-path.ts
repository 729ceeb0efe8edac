import { scenarioAnchor } from "@rigmark/results/anchor";

/** A run's page; of a scenario, its results there. */
export function runPath(workspace: string, runId: string, scenario?: string): string {
  const page = `/w/${workspace}/runs/${runId}`;
  if (scenario === undefined) return page;
  return `${page}?scenario=${encodeURIComponent(scenario)}#${scenarioAnchor(scenario)}`;
}
