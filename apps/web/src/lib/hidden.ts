import { decoded, encodedValue, withEncoded } from "./query";

/** Entries that the address leaves out of the charts: `?hide=epoll,nginx`. */
const PARAMETER = "hide";

/** Those of the known names that a query hides. A name may have a comma, and some programs encode the commas between. */
export function hiddenIn(query: string, known: readonly string[]): string[] {
  const parts = encodedValue(query, PARAMETER)
    .split(",")
    .map(decoded)
    .filter((part) => part !== "");
  const named = parts.flatMap((part) => (known.includes(part) ? [part] : part.split(",")));
  return known.filter((name) => named.includes(name));
}

/** The query that hides these names and keeps the rest as it is. */
export const withHidden = (query: string, names: readonly string[]): string =>
  withEncoded(query, PARAMETER, names.map(encodeURIComponent).join(","));
