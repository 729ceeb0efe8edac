import type { RunState } from "@rigmark/protocol";
import type { RunFilterValues, RunListFilter } from "@rigmark/results";
import {
  MOST_TAG,
  MOST_VALUES,
  RUN_FILTERS,
  type RunFilterName,
  VALUE_FILTERS,
  type ValueFilter,
} from "@rigmark/results/run-list";
import { searchIn } from "./list-address";

type SearchParams = Record<string, string | string[] | undefined>;
type Verdict = NonNullable<RunListFilter["verdict"]>[number];

/** The field that the key / goes to. */
export const SEARCH_ID = "run-search";

export const FILTER_TITLES: Record<RunFilterName, string> = {
  q: "Search",
  host: "Host",
  status: "Status",
  verdict: "Verdict",
  branch: "Branch",
  person: "Person",
  tag: "Tag",
  scenario: "Scenario",
  server: "Server",
  repository: "Repository",
  commit: "Commit",
  pullRequest: "Pull request",
};

const STATES: Record<RunState, string> = {
  queued: "queued",
  leased: "leased",
  preparing: "preparing",
  measuring: "measuring",
  uploading: "uploading",
  cancelling: "cancelling",
  succeeded: "succeeded",
  failed: "failed",
  cancelled: "cancelled",
  timed_out: "timed out",
  incomplete: "incomplete",
};
const VERDICTS: Record<Verdict, string> = {
  faster: "faster",
  slower: "slower",
  "no-difference": "no difference shown",
  "not-comparable": "not comparable",
};

const FORMS: Record<ValueFilter, (text: string) => boolean> = {
  host: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(text),
  status: (text) => Object.hasOwn(STATES, text),
  verdict: (text) => Object.hasOwn(VERDICTS, text),
  branch: (text) => /^\S{1,200}$/.test(text),
  person: (text) => /^[\w-]{1,100}$/.test(text),
  tag: (text) => text.length > 0 && text.length <= MOST_TAG,
  scenario: (text) => /^\S{1,200}$/.test(text),
  server: (text) => /^[a-z0-9][a-z0-9._-]{0,63}$/.test(text),
};

/** From a page's address; what is not written as it should be is left out. */
export function runFilter(asked: SearchParams): RunListFilter {
  const all = (name: string): string[] => {
    const values = asked[name];
    return values === undefined ? [] : [values].flat();
  };
  const one = (name: string, form: RegExp): string | undefined => all(name).find((text) => form.test(text));
  const q = searchIn(asked.q);
  const chosen: Partial<Record<ValueFilter, string[]>> = {};
  for (const name of VALUE_FILTERS) {
    const values = [...new Set(all(name).filter(FORMS[name]))].slice(0, MOST_VALUES);
    if (values.length > 0) chosen[name] = values;
  }
  const repository = one("repository", /^\S{1,300}$/);
  const commit = one("commit", /^[0-9a-f]{7,40}$/);
  const pullRequest = one("pull_request", /^[1-9]\d{0,8}$/);
  return {
    ...(q && { q }),
    // Each value has the form of its filter.
    ...(chosen as Pick<RunListFilter, ValueFilter>),
    ...(repository && { repository }),
    ...(commit && { commit }),
    ...(pullRequest && { pullRequest: Number(pullRequest) }),
  };
}

/** Values of a filter as they stand in an address. */
export function valuesOf(filter: RunListFilter, name: RunFilterName): readonly string[] {
  const value = filter[name];
  if (value === undefined || value === "") return [];
  return Array.isArray(value) ? value : [String(value)];
}

/** Every filter with its value, in the order of an address. */
export const chosenIn = (filter: RunListFilter): { name: RunFilterName; value: string }[] =>
  RUN_FILTERS.flatMap((name) => valuesOf(filter, name).map((value) => ({ name, value })));

/** What an address calls a filter. */
export const paramOf = (name: RunFilterName): string => (name === "pullRequest" ? "pull_request" : name);

/** Address of the list of runs with these filters: it holds the whole state of the page. */
export function runsPath(workspace: string, filter: RunListFilter, cursor?: string | null): string {
  const query = new URLSearchParams(
    chosenIn(filter).map(({ name, value }): [string, string] => [paramOf(name), value]),
  );
  if (cursor) query.append("cursor", cursor);
  const text = query.toString();
  return `/w/${workspace}/runs${text && `?${text}`}`;
}

/** Without one value of a filter, or without the filter. */
export function without(filter: RunListFilter, name: RunFilterName, value?: string): RunListFilter {
  const rest = value === undefined ? [] : valuesOf(filter, name).filter((each) => each !== value);
  const { [name]: _, ...others } = filter;
  return rest.length > 0 ? { ...others, [name]: rest } : others;
}

/** With the value, or without it where it is there; null where the filter takes no more. */
export function toggled(filter: RunListFilter, name: ValueFilter, value: string): RunListFilter | null {
  const values = valuesOf(filter, name);
  if (values.includes(value)) return without(filter, name, value);
  return values.length < MOST_VALUES ? { ...filter, [name]: [...values, value] } : null;
}

/** A value as a person reads it. */
export function labelOf(offered: RunFilterValues["filters"], name: RunFilterName, value: string): string {
  if (name === "status") return STATES[value as RunState];
  if (name === "verdict") return VERDICTS[value as Verdict];
  if (name === "commit") return value.slice(0, 7);
  if (name === "pullRequest") return `#${value}`;
  const known = offered.find((filter) => filter.name === name)?.values.find((each) => each.value === value);
  if (known) return known.label;
  return name === "host" ? "a host" : name === "person" ? "a person" : value;
}
