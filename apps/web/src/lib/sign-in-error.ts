const KNOWN = [
  "SIGN_UP_CLOSED",
  "ADDRESS_NOT_PROVED",
  "TOKEN_EXPIRED",
  "INVALID_TOKEN",
  "ACCESS_DENIED",
] as const;
type Known = (typeof KNOWN)[number];

/** What a link that led back to the sign-in page says went wrong, as the catalogue calls it. Words come from there: anybody can write an address. */
export function signInError(code: string | string[] | undefined): Known | "other" | null {
  if (typeof code !== "string" || code === "") return null;
  return KNOWN.find((known) => known === code.toUpperCase()) ?? "other";
}
