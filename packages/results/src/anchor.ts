/** Where a scenario's results are on the page of a run or of a report. `run`: its place among the report's runs, from 1. */
export const scenarioAnchor = (scenario: string, run = 1): string =>
  `${run > 1 ? `run-${run}-` : ""}scenario-${scenario}`;
