const WORDS: Record<string, string> = {
  SIGN_UP_CLOSED: "You have no account here, and you may not make one. Ask whoever runs this installation.",
  ADDRESS_NOT_PROVED: "GitHub has not verified your e-mail address. Verify it there, then sign in again.",
  TOKEN_EXPIRED: "This link has expired. Sign in to get a new one by mail.",
  INVALID_TOKEN: "This link is not whole, or was used already. Sign in to get a new one by mail.",
  access_denied: "GitHub says that you declined. Nothing was changed.",
};

/** What a link that led back to the sign-in page says went wrong. Words come from here: anybody can write an address. */
export function signInError(code: string | string[] | undefined): string | null {
  if (typeof code !== "string" || code === "") return null;
  return WORDS[code] ?? WORDS[code.toUpperCase()] ?? "Signing in did not work. Try again.";
}
