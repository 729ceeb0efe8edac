/** Entries that the address leaves out of the charts: `?hide=epoll,nginx`. */
const PARAMETER = /(^\??|&)hide=([^&#]*)/;

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part.replaceAll("+", " "));
  } catch {
    return "";
  }
};

/** Those of the known names that a query hides. A name may have a comma, and some programs encode the commas between. */
export function hiddenIn(query: string, known: readonly string[]): string[] {
  const parts = (PARAMETER.exec(query)?.[2] ?? "")
    .split(",")
    .map(decoded)
    .filter((part) => part !== "");
  const named = parts.flatMap((part) => (known.includes(part) ? [part] : part.split(",")));
  return known.filter((name) => named.includes(name));
}

/** The query that hides these names and keeps the rest as it is. */
export function withHidden(query: string, names: readonly string[]): string {
  const rest = query.replace(PARAMETER, "").replace(/^[?&]+/, "");
  const hide = names.length > 0 ? `hide=${names.map(encodeURIComponent).join(",")}` : "";
  const all = [rest, hide].filter((part) => part !== "").join("&");
  return all === "" ? "" : `?${all}`;
}
