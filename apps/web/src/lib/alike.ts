import type { RunListItem } from "@rigmark/results";
import { hasWords } from "./search-words";
import { plainLine } from "./text";

/** What makes a run like another before either is read as a whole. */
export interface Likeness {
  hostId: string;
  scenarios: readonly string[];
  servers: readonly string[];
}

/** The share of what both have in all that either has. */
function overlap(a: readonly string[], b: readonly string[]): number {
  const [ours, theirs] = [new Set(a), new Set(b)];
  const all = new Set([...ours, ...theirs]).size;
  return all === 0 ? 0 : [...ours].filter((x) => theirs.has(x)).length / all;
}

/** The host counts as much as the loads, and both more than the servers: without them nothing can be compared. */
const likeness = (run: RunListItem, to: Likeness): number =>
  (run.host.host_id === to.hostId ? 2 : 0) +
  2 * overlap(run.scenarios, to.scenarios) +
  overlap(
    run.entries.map((e) => e.server),
    to.servers,
  );

/** Most alike first; equals stay in their order, newest first. */
export const mostAlikeFirst = (runs: readonly RunListItem[], to: Likeness): RunListItem[] =>
  runs
    .map((run) => ({ run, score: likeness(run, to) }))
    .sort((a, b) => b.score - a.score)
    .map(({ run }) => run);

/** Every word somewhere in title, host, entries or scenarios, in whatever case. */
export function found(run: RunListItem, search: string): boolean {
  return hasWords(plainLine(search), [
    run.title,
    run.host.name,
    ...run.scenarios,
    ...run.entries.flatMap((e) => [e.label, e.server]),
  ]);
}
