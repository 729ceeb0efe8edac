/** Of better-auth's routes those that pages, mails and GitHub lead to, and for who is signed in `get-session` and `update-user`. */
const PATHS = new Set(
  [
    "/sign-in/email",
    "/sign-in/social",
    "/sign-up/email",
    "/sign-out",
    "/get-session",
    "/update-user",
    "/request-password-reset",
    "/reset-password",
    "/send-verification-email",
    "/verify-email",
    "/callback/github",
    "/error",
  ].map((path) => `/api/auth${path}`),
);
/** In a mail. `auth.ts` has it not counted. */
const RESET_LINK = /^\/api\/auth\/reset-password\/\w+$/;

/** better-auth keeps a count of each path that it is asked for, also where it has no such route: others must not reach it. */
export const isAuthPath = (pathname: string): boolean => PATHS.has(pathname) || RESET_LINK.test(pathname);
