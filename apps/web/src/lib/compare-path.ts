import { MOST_COMPARED } from "@rigmark/results/comparable";

/** What a compare page shows; all of it stands in its address. */
export interface CompareState {
  runIds: string[];
  /** Label of the entry that the others are compared with; without it each run's own baseline. */
  baseline?: string | undefined;
}

type SearchParams = Record<string, string | string[] | undefined>;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** From a page's address; null where it names no run, or what no link of ours would name. */
export function compareState(asked: SearchParams): CompareState | null {
  const { runs, baseline } = asked;
  if (typeof runs !== "string") return null;
  const runIds = [...new Set(runs.split(","))];
  if (runIds.length > MOST_COMPARED || !runIds.every((id) => ID.test(id))) return null;
  const named = typeof baseline === "string" && baseline.length > 0 && baseline.length <= 200;
  return { runIds, ...(named && { baseline }) };
}

export function comparePath(workspace: string, { runIds, baseline }: CompareState): string {
  // Commas need no escape in a query, and a link that is read is shorter without.
  const rest = baseline === undefined ? "" : `&${new URLSearchParams({ baseline }).toString()}`;
  return `/w/${workspace}/compare?runs=${runIds.join(",")}${rest}`;
}
