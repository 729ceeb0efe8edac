// What the app, its pages and the launcher have to agree on.

/** What carries the token of the link for the first owner to sign-up. */
export const CLAIM_HEADER = "x-rigmark-claim";
/** What carries the token of an invitation to sign-up with a password; through GitHub a cookie does. */
export const INVITATION_HEADER = "x-rigmark-invitation";
export const INVITATION_COOKIE = "rigmark-invitation";

/** SIGN_UP: `open`, `closed`, or a domain. */
export const SIGN_UP = /^(open|closed|([a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])$/i;
export const SIGN_UP_WORDS = "must be open, closed, or a domain such as example.org";
