/** The part of an address's query that sets `name`, one of our own: letters and hyphens. The rest keeps its encoding. */
const partOf = (name: string): RegExp => new RegExp(`(^\\??|&)${name}=([^&#]*)`);

export const decoded = (part: string): string => {
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
export function withEncoded(query: string, name: string, value: string): string {
  const rest = query.replace(partOf(name), "").replace(/^[?&]+/, "");
  const all = [rest, value === "" ? "" : `${name}=${value}`].filter((part) => part !== "").join("&");
  return all === "" ? "" : `?${all}`;
}

export const withValue = (query: string, name: string, value: string): string =>
  withEncoded(query, name, encodeURIComponent(value));
