import type { ExploreFilter, LeaderboardFilter, LeaderboardRow, MatrixFilter } from "@rigmark/results";
import { scenarioAnchor } from "@rigmark/results/anchor";
import { EXPLORE_FILTERS, MOST_CHOSEN, MOST_EXPLORE } from "@rigmark/results/explore";
import type { Language } from "@rigmark/results/language";

type SearchParams = Record<string, string | string[] | undefined>;
const NAMES = ["q", ...EXPLORE_FILTERS] as const;

/** From a page's address: of each filter the first value that is not empty. */
export const exploreFilter = (asked: SearchParams): ExploreFilter => firstOf(asked, NAMES);
export const leaderboardFilter = (asked: SearchParams): LeaderboardFilter => firstOf(asked, ["arch", "cpu"]);
export const matrixFilter = (asked: SearchParams): MatrixFilter => ({
  ...firstOf(asked, ["q", "arch", "cpu"]),
  entry: allOf(asked.entry),
  scenario: allOf(asked.scenario),
});

/** The scenario that the table of all servers is sorted by. */
export const sortedBy = ({ by }: SearchParams): string | undefined =>
  typeof by === "string" && by !== "" ? by.slice(0, 200) : undefined;

/** Names of scenarios with numbers have colons, which Next leaves escaped. */
export function scenarioNamed(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A query as Next hands it to a page. */
export const askedIn = (query: URLSearchParams): SearchParams =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name): [string, SearchParams[string]] => {
      const values = query.getAll(name);
      return [name, values.length > 1 ? values : values[0]];
    }),
  );

const allOf = (values: SearchParams[string]): string[] =>
  [...new Set([values ?? []].flat())]
    .filter((text) => text.trim() !== "" && text.length <= MOST_EXPLORE)
    .slice(0, MOST_CHOSEN);

function firstOf<Name extends string>(
  asked: SearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const filter: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = [asked[name] ?? []].flat().find((text) => text.trim() !== "");
    if (value !== undefined) filter[name] = value.trim().slice(0, MOST_EXPLORE);
  }
  return filter;
}

export const isFiltered = (filter: ExploreFilter): boolean => NAMES.some((name) => filter[name]);

/** Address of Explore with these filters: it holds the whole state of the page. */
export function explorePath(filter: ExploreFilter, cursor?: string | null): string {
  const query = new URLSearchParams(
    NAMES.flatMap((name): [string, string][] => (filter[name] ? [[name, filter[name]]] : [])),
  );
  if (cursor) query.append("after", cursor);
  const text = query.toString();
  return `/explore${text && `?${text}`}`;
}

/** A report does not know which language was chosen elsewhere: the address says it. */
export const inLanguage = (report: string, language: Language): string =>
  language === "zh" ? `${report}?lang=zh` : report;
export const reportPath = (slug: string, language: Language): string => inLanguage(`/r/${slug}`, language);
/** The results under a scenario that a row of a leaderboard is of. */
export const resultsPath = (
  { slug, run }: Pick<LeaderboardRow, "slug" | "run">,
  scenario: string,
  language: Language,
): string => `${reportPath(slug, language)}#${scenarioAnchor(scenario, run)}`;

export const leaderboardPath = (scenario: string): string => `/explore/${encodeURIComponent(scenario)}`;

export const MATRIX_PATH = "/explore/servers";
/** Every server under every scenario, sorted by one of them. */
export const matrixPath = (filter: MatrixFilter, by?: string): string =>
  `${MATRIX_PATH}${matrixQuery(filter, by)}`;
/** The rows of a leaderboard or of the table of all servers as data. */
export const csvPath = (page: string, filter: MatrixFilter, by?: string): string =>
  `${page}/csv${matrixQuery(filter, by)}`;

function matrixQuery(filter: MatrixFilter, by: string | undefined): string {
  const named = Object.entries({ ...filter, by }).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => [name, value]),
  );
  const text = new URLSearchParams(named).toString();
  return text && `?${text}`;
}
