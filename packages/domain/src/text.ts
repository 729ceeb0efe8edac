/** What PostgreSQL cannot hold (NUL, half a surrogate pair) becomes U+FFFD; the raw chunk keeps the bytes. */
export const storable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, "\ufffd");

/** The same for every string in a JSON value, as JSON text. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_, v: unknown) => (typeof v === "string" ? storable(v) : v));

/** Text for a terminal or a file name: without control characters. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, " ").trim();
