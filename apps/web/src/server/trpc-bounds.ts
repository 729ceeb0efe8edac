/** What one call of the API may be, signed in or not. */
export const MOST_CALLS = 20;
/** Of these each call may read twenty whole runs. A page asks for each once. */
const HEAVY = /run\.compare(Curves)?$/;
const MOST_HEAVY = 3;
const URL_CHARS = 8 * 1024;
export const BODY_BYTES = 128 * 1024;

export interface Refusal {
  status: 400 | 403 | 404 | 413 | 414;
  code: "BAD_REQUEST" | "FORBIDDEN" | "NOT_FOUND" | "PAYLOAD_TOO_LARGE" | "URI_TOO_LONG";
  message: string;
}

/** Looked at before anything else, so that a refusal costs nothing: how long the address is, and how many calls are in it. */
export function refusalOf(url: string): Refusal | null {
  if (url.length > URL_CHARS)
    return {
      status: 414,
      code: "URI_TOO_LONG",
      message: `The address has ${url.length} characters; at most ${URL_CHARS} are accepted. Make fewer calls at once.`,
    };
  const calls = new URL(url).pathname.split(/,|%2c/i);
  if (calls.length > MOST_CALLS)
    return {
      status: 400,
      code: "BAD_REQUEST",
      message: `A batch of ${calls.length} calls was sent; at most ${MOST_CALLS} are accepted at once. Send them in several requests.`,
    };
  const paths = calls.map(safelyDecoded);
  const heavy = paths.filter((path) => HEAVY.test(path)).length;
  if (heavy > MOST_HEAVY)
    return {
      status: 400,
      code: "BAD_REQUEST",
      message: `A batch with ${heavy} comparisons was sent; at most ${MOST_HEAVY} are accepted at once. Send them in several requests.`,
    };
  // Only the app's own pages ask for a whole report: who may ask again and again gets the one that is kept.
  if (paths.some((path) => /bySlug$/.test(path)))
    return {
      status: 404,
      code: "NOT_FOUND",
      message: "A report is read at /r/SLUG, as JSON at /r/SLUG.json.",
    };
  return null;
}

const safelyDecoded = (path: string): string => {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
};

/** As tRPC's own clients read an error. */
export const refuse = ({ status, code, message }: Refusal): Response =>
  Response.json(
    { error: { json: { message, code: -32_600, data: { code, httpStatus: status, domain: null } } } },
    { status, headers: { "cache-control": "no-store" } },
  );
