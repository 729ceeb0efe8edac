import type { BetweenTwoRuns, ComparedScenario } from "@rigmark/results";
import type { CompareState } from "../compare-path";
import { type Compared, hasBaseline, type ScenarioCompared } from "./compared";

type Only = NonNullable<CompareState["only"]>;
type RowCompared = ScenarioCompared["rows"][number];
type Choice = Pick<CompareState, "only" | "order">;
type Judged = Pick<BetweenTwoRuns, "verdict" | "ratio">;

/** Whether an entry was shown to differ from what it is compared with, in the direction asked for. */
const isShown = (verdict: Judged["verdict"], only: Only): boolean =>
  only === "different" ? verdict === "faster" || verdict === "slower" : verdict === only;

/** Cells of a row that are compared with the baseline of its run. */
const comparedOf = ({ cells }: RowCompared): Judged[] =>
  hasBaseline(cells) ? cells.flatMap((cell) => (cell && !cell.baseline ? cell : [])) : [];

/** The same comparison without the rows in which no such difference was shown. */
export const rowsOnly = (of: Compared, only: Only | undefined): Compared =>
  only === undefined
    ? of
    : {
        ...of,
        scenarios: of.scenarios
          .map((scenario) => ({
            ...scenario,
            rows: scenario.rows.filter((row) => comparedOf(row).some((cell) => isShown(cell.verdict, only))),
          }))
          .filter(({ rows }) => rows.length > 0),
      };

export const countRows = ({ scenarios }: Compared): number =>
  scenarios.reduce((sum, { rows }) => sum + rows.length, 0);

/** How far the ratio farthest from 1 is from it, twice as far as half; -1 where no difference is shown. For sorting alone. */
const sizeOf = (all: readonly Judged[]): number =>
  Math.max(
    -1,
    ...all.map(({ verdict, ratio }) =>
      ratio !== null && isShown(verdict, "different") ? Math.abs(Math.log(ratio.estimate)) : -1,
    ),
  );

/** The largest first; of the same size, and without one, as they stood. */
function bySize<T>(all: readonly T[], judgedIn: (each: T) => readonly Judged[]): T[] {
  const sizes = new Map(all.map((each) => [each, sizeOf(judgedIn(each))]));
  return [...all].sort((x, y) => (sizes.get(y) ?? -1) - (sizes.get(x) ?? -1));
}

/** The same comparison, the scenario with the largest difference first, and so its rows. */
export const scenariosBySize = (of: Compared): Compared => ({
  ...of,
  scenarios: bySize(
    of.scenarios.map((scenario) => ({ ...scenario, rows: bySize(scenario.rows, comparedOf) })),
    ({ rows }) => rows.flatMap(comparedOf),
  ),
});

/** The row with the largest difference first, whatever its scenario: one whose rows are not side by side is there again. */
export function rowsBySize(of: Compared): Compared {
  const rows = of.scenarios.flatMap((scenario) => scenario.rows.map((row) => ({ scenario, row })));
  const scenarios: ScenarioCompared[] = [];
  let before: ScenarioCompared | undefined;
  for (const { scenario, row } of bySize(rows, (each) => comparedOf(each.row))) {
    if (scenario === before) scenarios.at(-1)?.rows.push(row);
    else scenarios.push({ ...scenario, rows: [row] });
    before = scenario;
  }
  return { ...of, scenarios };
}

/** The scenarios with their pairs of runs as chosen; without those that have none. */
export function pairsOf(scenarios: readonly ComparedScenario[], { only, order }: Choice): ComparedScenario[] {
  const chosen = scenarios.map((scenario) => ({
    ...scenario,
    between: scenario.between.filter((pair) => only === undefined || isShown(pair.verdict, only)),
  }));
  const sorted =
    order === undefined
      ? chosen
      : bySize(
          chosen.map((scenario) => ({ ...scenario, between: bySize(scenario.between, (pair) => [pair]) })),
          ({ between }) => between,
        );
  return sorted.filter(({ between }) => between.length > 0);
}

export const countPairs = (scenarios: readonly ComparedScenario[]): number =>
  scenarios.reduce((sum, { between }) => sum + between.length, 0);
