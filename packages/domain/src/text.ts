const REPLACEMENT = "\ufffd";

/** What PostgreSQL cannot hold (NUL, half a surrogate pair) becomes U+FFFD; the raw chunk keeps the bytes. */
export const storable = (text: string): string => text.replace(/[\0\p{Cs}]/gu, REPLACEMENT);

/**
 * The same for every string in a JSON value, names of fields included, as JSON text. Escapes are read one after the
 * other, so that an escaped backslash before `u0000` stays what it is.
 */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value).replace(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, (found, what: string) =>
    what.length > 1 ? REPLACEMENT : found,
  );

/** Text for a terminal or a file name: without control characters. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, " ").trim();
