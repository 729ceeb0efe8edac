import { ToolName } from "@rigmark/protocol";
import type { LeaderboardMatrix, MatrixFilter } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import { overall } from "@rigmark/stats";
import type { Call } from "../context";
import { hasWords } from "./internal/has-words";
import {
  commonest,
  countedByScenario,
  fits,
  machinesOf,
  readStandings,
  rowOf,
  type StandingRow,
  valuesOf,
} from "./internal/public-standings";

/** Columns and rows that a page holds. */
const [MOST_SCENARIOS, MOST_ROWS] = [100, 500];

/** Every server of public reports on each CPU, under every scenario, as a ratio to nginx in the same run. For anybody. */
export async function getLeaderboardMatrix({
  ctx,
  input,
}: Call<{ filter: MatrixFilter; by?: string | undefined }>): Promise<LeaderboardMatrix> {
  const found = await readStandings(ctx, null);
  const { q, entry, scenario } = input.filter;
  const isRow = ({ label, server }: StandingRow): boolean =>
    isChosen(entry, label) && (q === undefined || hasWords(q, [label, server]));
  const offered = countedByScenario(found.filter(fits(input.filter)));
  const columns = offered
    .filter(([first]) => first && isChosen(scenario, first.scenario_id))
    .map((rows) => rows.filter(isRow))
    .filter((rows) => rows.length > 0)
    .sort((a, b) => b.length - a.length)
    .slice(0, MOST_SCENARIOS);
  const rows = new Map<string, LeaderboardMatrix["rows"][number]>();
  for (const [place, column] of columns.entries())
    for (const standing of column) {
      const cell = rowOf(standing);
      if (!cell) continue;
      const key = JSON.stringify([standing.label, standing.server, standing.cpu]);
      const { label, server, cpu, arch } = standing;
      const row = rows.get(key) ?? {
        ...{ label, server, cpu, arch, overall: null },
        cells: columns.map(() => null),
      };
      rows.set(key, row);
      // Newest first: what is there already is newer.
      row.cells[place] ??= cell;
    }
  const scenarios = columns.flatMap((column) => {
    const [first] = column;
    if (!first) return [];
    const { scenario_id: scenario, tool, metric } = first;
    return {
      scenario,
      title: commonest(column, (row) => row.title) ?? "",
      tool: ToolName.parse(tool),
      metric,
    };
  });
  const wanted = found.filter(
    (row) => row.left_out === null && isChosen(scenario, row.scenario_id) && isRow(row),
  );
  const all = [...rows.values()];
  const { means } = overall({
    more_is_better: scenarios.map(({ metric }) => rankingOf(metric).moreIsBetter),
    rows: all.map(({ cells }) => cells.map((cell) => cell?.ratio.estimate ?? null)),
  });
  for (const [place, row] of all.entries()) row.overall = means[place] ?? null;
  const sorted = all.sort(orderBy(scenarios, input.by)).slice(0, MOST_ROWS);
  return {
    ...{ scenarios, rows: sorted, left_out: all.length - sorted.length },
    choices: {
      entry: valuesOf(offered.flat().map((row) => row.label)),
      scenario: offered
        .flatMap((column) => {
          const title = commonest(column, (row) => row.title);
          return column[0] && title !== null ? [{ scenario: column[0].scenario_id, title }] : [];
        })
        .slice(0, MOST_SCENARIOS),
    },
    ...machinesOf(wanted, input.filter),
  };
}

const isChosen = (chosen: readonly string[] | undefined, value: string): boolean =>
  chosen === undefined || chosen.length === 0 || chosen.includes(value);

type Row = LeaderboardMatrix["rows"][number];

/** Best first under the chosen scenario, or under all of them; then those with most cells. Rows that lack it come last. */
function orderBy(scenarios: LeaderboardMatrix["scenarios"], by: string | undefined) {
  const place = scenarios.findIndex(({ scenario }) => scenario === by);
  const metric = scenarios[place]?.metric;
  const sign = metric === undefined || rankingOf(metric).moreIsBetter ? -1 : 1;
  const filled = ({ cells }: Row) => cells.filter((cell) => cell !== null).length;
  const at = (row: Row): number | null =>
    place < 0 ? row.overall : (row.cells[place]?.ratio.estimate ?? null);
  return (a: Row, b: Row): number => {
    const [x, y] = [at(a), at(b)];
    if (x !== null && y !== null && x !== y) return sign * (x - y);
    if ((x === null) !== (y === null)) return x === null ? 1 : -1;
    return filled(b) - filled(a) || (a.label < b.label ? -1 : a.label > b.label ? 1 : 0);
  };
}
