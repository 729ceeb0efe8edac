import { type Compared, hasBaseline, type ScenarioCompared } from "./compared";

/** Whether an entry of the run was shown to differ from its baseline. */
const isDifferent = ({ cells }: ScenarioCompared["rows"][number]): boolean =>
  hasBaseline(cells) &&
  cells.some((cell) => !cell?.baseline && (cell?.verdict === "faster" || cell?.verdict === "slower"));

/** The same comparison without the rows in which no difference was shown. */
export const differentRows = (of: Compared): Compared => ({
  ...of,
  scenarios: of.scenarios
    .map((scenario) => ({ ...scenario, rows: scenario.rows.filter(isDifferent) }))
    .filter(({ rows }) => rows.length > 0),
});

export const countRows = ({ scenarios }: Compared): number =>
  scenarios.reduce((sum, { rows }) => sum + rows.length, 0);
