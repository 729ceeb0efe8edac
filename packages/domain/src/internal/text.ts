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

/** Control characters, what is no character, and marks that turn the direction of the text around them. */
const UNDRAWABLE =
  /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Lines for whoever draws them: what is not drawable leaves a gap. */
export const drawable = (text: string): string =>
  text.replace(UNDRAWABLE, (found) => (found === "\n" || found === "\t" ? found : " "));

/** Text for a terminal, a file name, or anything that others draw. */
export const printable = (text: string): string => text.replace(UNDRAWABLE, " ").trim();

/** At most so many characters; none of them is cut in half. */
export const atMost = (text: string, chars: number): string => [...text].slice(0, chars).join("");
