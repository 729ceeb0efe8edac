// What the app, its pages and the launcher have to agree on.

/** What carries the token of the link for the first owner to sign-up. */
export const CLAIM_HEADER = "x-rigmark-claim";

/** SIGN_UP: `open`, `closed`, or a domain. */
export const SIGN_UP = /^(open|closed|([a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])$/i;
export const SIGN_UP_WORDS = "must be open, closed, or a domain such as example.org";
