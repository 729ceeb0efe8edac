import { namesIn, withNames } from "./query";

/** Entries that the address leaves out of the charts: `?hide=epoll,nginx`. */
const PARAMETER = "hide";

/** Those of the known names that a query hides. */
export const hiddenIn = (query: string, known: readonly string[]): string[] =>
  namesIn(query, PARAMETER, known);

/** The query that hides these names and keeps the rest as it is. */
export const withHidden = (query: string, names: readonly string[]): string =>
  withNames(query, PARAMETER, names);
