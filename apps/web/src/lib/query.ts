/** The part of an address's query that sets `name`, one of our own: letters and hyphens. The rest keeps its encoding. */
const partOf = (name: string): RegExp => new RegExp(`(^\\??|&)${name}=([^&#]*)`);

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return "";
  }
};

/** As it stands in the query, encoded; empty where it does not. */
export const encodedValue = (query: string, name: string): string => partOf(name).exec(query)?.[2] ?? "";

export const valueIn = (query: string, name: string): string => decoded(encodedValue(query, name));

/** The query with another value, which is encoded already; an empty one goes. */
function withEncoded(query: string, name: string, value: string): string {
  const rest = query.replace(partOf(name), "").replace(/^[?&]+/, "");
  const all = [rest, value === "" ? "" : `${name}=${value}`].filter((part) => part !== "").join("&");
  return all === "" ? "" : `?${all}`;
}

export const withValue = (query: string, name: string, value: string): string =>
  withEncoded(query, name, encodeURIComponent(value));

/** Those of the known names that a value lists, with commas between. A name may have one, and some programs encode those between. */
export function namesIn(query: string, name: string, known: readonly string[]): string[] {
  const parts = encodedValue(query, name)
    .split(",")
    .map(decoded)
    .filter((part) => part !== "");
  const named = parts.flatMap((part) => (known.includes(part) ? [part] : part.split(",")));
  return known.filter((each) => named.includes(each));
}

export const withNames = (query: string, name: string, names: readonly string[]): string =>
  withEncoded(query, name, names.map(encodeURIComponent).join(","));
