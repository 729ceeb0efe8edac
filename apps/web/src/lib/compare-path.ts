import type { ComparisonView } from "@rigmark/results";
import { scenarioAnchor } from "@rigmark/results/anchor";
import { MOST_COMPARED } from "@rigmark/results/comparable";
import { encodedValue } from "./query";
import { runPath } from "./run-path";
import { plainLine } from "./text";

/** In the address: the entries whose latencies are drawn. As on the page of a run, scripts alone read and write it. */
export const LATENCIES_OF = "latencies-of";

/** The path with the entries that the query of the address names there. */
export function withLatenciesOf(path: string, query: string): string {
  const named = encodedValue(query, LATENCIES_OF);
  return named === "" ? path : `${path}&${LATENCIES_OF}=${named}`;
}

/** What can stand below a ratio in place of the ranking metric. */
export const CELL_FIGURES = ["throughput", "p50", "p99", "cpu", "memory"] as const;
export type CellFigure = (typeof CELL_FIGURES)[number];

/** What a compare page shows; all of it stands in its address. */
export interface CompareState {
  runIds: string[];
  /** Runs of reports, as `slug.place`, after the others. */
  reports?: string[] | undefined;
  /** Label of the entry that the others are compared with; without it each run's own baseline. */
  baseline?: string | undefined;
  /** Only rows with a difference shown, or with one for the better or the worse; without it all. */
  only?: (typeof ONLY)[number] | undefined;
  /** The largest difference first; without it as the plan has them. */
  order?: "size" | undefined;
  /** Without it the ranking metric. */
  figure?: CellFigure | undefined;
}

export const ONLY = ["different", "faster", "slower"] as const;

type SearchParams = Record<string, string | string[] | undefined>;

const REPORT_RUN = /^[A-Za-z0-9_-]{22}\.[1-8]$/;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** From a page's address; null where it names no run, a sentence where it names what cannot be compared. */
export function compareState(asked: SearchParams): CompareState | string | null {
  const { runs, reports: named, baseline, order } = asked;
  if (typeof runs !== "string" || runs === "") return null;
  const runIds = [...new Set(runs.split(","))];
  const reports = typeof named === "string" ? [...new Set(named.split(","))] : [];
  const many = runIds.length + reports.length;
  if (many > MOST_COMPARED)
    return `This link names ${many} runs; at most ${MOST_COMPARED} can be compared at once.`;
  const wrong = runIds.find((id) => !ID.test(id)) ?? reports.find((name) => !REPORT_RUN.test(name));
  if (wrong !== undefined)
    return `This link is not whole: “${plainLine(wrong).slice(0, 40)}” names no run. Copy all of it.`;
  const only = ONLY.find((each) => each === asked.only);
  const figure = CELL_FIGURES.find((name) => name === asked.figure);
  const chosen = typeof baseline === "string" && baseline.length > 0 && baseline.length <= 200;
  return {
    runIds,
    ...(reports.length > 0 && { reports }),
    ...(chosen && { baseline }),
    ...(only && { only }),
    ...(order === "size" && { order }),
    ...(figure && { figure }),
  };
}

export function comparePath(
  workspace: string,
  { runIds, reports = [], baseline, only, order, figure }: CompareState,
): string {
  // Commas need no escape in a query, and a link that is read is shorter without.
  const rest = baseline === undefined ? "" : `&${new URLSearchParams({ baseline }).toString()}`;
  const beside = reports.length > 0 ? `&reports=${reports.join(",")}` : "";
  const rows = only === undefined ? "" : `&only=${only}`;
  const sorted = order === undefined ? "" : `&order=${order}`;
  const below = figure === undefined ? "" : `&figure=${figure}`;
  return `/w/${workspace}/compare?runs=${runIds.join(",")}${beside}${rest}${rows}${sorted}${below}`;
}

/** The same without the runs that are gone, and without a baseline that went with them: the links of the page ask for neither. */
export function withoutGone(
  state: CompareState,
  { gone, baseline }: Pick<ComparisonView, "gone" | "baseline">,
): CompareState {
  if (gone.length === 0) return state;
  const runIds = state.runIds.filter((id) => !gone.includes(id));
  return { ...state, runIds, baseline: baseline === null ? undefined : state.baseline };
}

/**
 * The same without the run at this place; null where none of the workspace's own would be left. A baseline that no other run
 * has is not kept: the page would refuse it.
 */
export function withoutRun(state: CompareState, shown: ComparisonView, place: number): CompareState | null {
  const run = shown.runs[place];
  if (!run) return null;
  const runIds = run.report === null ? state.runIds.filter((id) => id !== run.run_id) : state.runIds;
  if (runIds.length === 0) return null;
  return {
    runIds,
    reports: state.reports?.filter((name) => name !== run.report),
    baseline: hasBaselineWithout(shown, place) ? state.baseline : undefined,
    only: state.only,
    order: state.order,
    figure: state.figure,
  };
}

function hasBaselineWithout({ baseline, scenarios }: ComparisonView, place: number): boolean {
  if (baseline === null) return false;
  return scenarios.some(({ rows }) => rows.some((row) => row.run !== place && row.cells[baseline]));
}

/** Where a run that is compared has a page of its own; of a scenario, its results there. */
export function comparedPath(
  workspace: string,
  { run_id, report }: { run_id: string; report: string | null },
  scenario?: string,
): string {
  if (report === null) return runPath(workspace, run_id, scenario);
  const [slug, place] = report.split(".");
  return `/r/${slug}${scenario === undefined ? "" : `#${scenarioAnchor(scenario, Number(place))}`}`;
}
