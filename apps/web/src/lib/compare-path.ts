import { MOST_COMPARED } from "@rigmark/results/comparable";

/** What a compare page shows; all of it stands in its address. */
export interface CompareState {
  runIds: string[];
  /** Runs of reports, as `slug.place`, after the others. */
  reports?: string[] | undefined;
  /** Label of the entry that the others are compared with; without it each run's own baseline. */
  baseline?: string | undefined;
}

type SearchParams = Record<string, string | string[] | undefined>;

const REPORT_RUN = /^[A-Za-z0-9_-]{22}\.[1-8]$/;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** From a page's address; null where it names no run, or what no link of ours would name. */
export function compareState(asked: SearchParams): CompareState | null {
  const { runs, reports: named, baseline } = asked;
  if (typeof runs !== "string") return null;
  const runIds = [...new Set(runs.split(","))];
  const reports = typeof named === "string" ? [...new Set(named.split(","))] : [];
  if (runIds.length + reports.length > MOST_COMPARED) return null;
  if (!runIds.every((id) => ID.test(id)) || !reports.every((name) => REPORT_RUN.test(name))) return null;
  const chosen = typeof baseline === "string" && baseline.length > 0 && baseline.length <= 200;
  return { runIds, ...(reports.length > 0 && { reports }), ...(chosen && { baseline }) };
}

export function comparePath(workspace: string, { runIds, reports = [], baseline }: CompareState): string {
  // Commas need no escape in a query, and a link that is read is shorter without.
  const rest = baseline === undefined ? "" : `&${new URLSearchParams({ baseline }).toString()}`;
  const beside = reports.length > 0 ? `&reports=${reports.join(",")}` : "";
  return `/w/${workspace}/compare?runs=${runIds.join(",")}${beside}${rest}`;
}

/** Where a run that is compared has a page of its own. */
export const comparedPath = (workspace: string, run: { run_id: string; report: string | null }): string =>
  run.report === null ? `/w/${workspace}/runs/${run.run_id}` : `/r/${run.report.split(".")[0]}`;
