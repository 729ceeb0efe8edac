import { listPath } from "./list-address";

/** Which series a history page shows; all of it stands in its address. */
export interface HistoryState {
  hostId: string;
  scenario: string;
  label: string;
  /** Label that the values are ratios to; null for the figures; without it the newest run's baseline. */
  relativeTo?: string | null | undefined;
}

type SearchParams = Record<string, string | string[] | undefined>;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Instead of a label: the figures themselves. */
const FIGURES = "";

const isName = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 200;

/** From a page's address; null where it names no series. */
export function historyState({ host, scenario, entry, to }: SearchParams): HistoryState | null {
  if (typeof host !== "string" || !ID.test(host) || !isName(scenario) || !isName(entry)) return null;
  const relativeTo = to === FIGURES ? null : isName(to) ? to : undefined;
  return { hostId: host, scenario, label: entry, relativeTo };
}

/** Address of the list of series. */
export const historiesPath = (
  workspace: string,
  of: { q?: string; cursor?: string | undefined } = {},
): string => listPath(`/w/${workspace}/history`, of);

export function historyPath(
  workspace: string,
  { hostId, scenario, label, relativeTo }: HistoryState,
): string {
  const query = new URLSearchParams({ host: hostId, scenario, entry: label });
  if (relativeTo !== undefined) query.set("to", relativeTo ?? FIGURES);
  return `/w/${workspace}/history?${query.toString()}`;
}
