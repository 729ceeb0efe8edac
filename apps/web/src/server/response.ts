import { type DomainError, isDomainError } from "@rigmark/domain";
import { log } from "./log";

/** What the caller may know of an error: what the domain said, or that something broke here. */
export function errorOf(error: unknown): {
  status: number;
  code: DomainError["code"];
  message: string;
  detail: object;
} {
  if (isDomainError(error)) {
    return { status: error.httpStatus, code: error.code, message: error.message, detail: error.detail };
  }
  const down = isConnectionError(error);
  if (down) log().warn({ reason: String((error as Error).message) }, "The database does not respond.");
  else log().error({ err: error }, "A request broke.");
  return down
    ? {
        status: 503,
        code: "unavailable",
        message: "The database does not respond; try again in a moment.",
        detail: {},
      }
    : {
        status: 500,
        code: "internal",
        message: "Something went wrong in the app; the details are in its log.",
        detail: {},
      };
}

const DOWN = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  "ENOTFOUND",
  "EPIPE",
  "57P01",
  "57P03",
  "53300",
]);

function isConnectionError(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, errors, cause, message } = error as {
    code?: unknown;
    errors?: unknown[];
    cause?: unknown;
    message?: unknown;
  };
  if (typeof code === "string" && DOWN.has(code)) return true;
  // pg-pool gives its own timeouts no code.
  if (
    typeof message === "string" &&
    /connection (timeout|terminated)|timeout exceeded when trying to connect/i.test(message)
  )
    return true;
  return (errors ?? []).some(isConnectionError) || isConnectionError(cause);
}

export const json = (body: unknown, status = 200): Response =>
  Response.json(body, { status, headers: { "cache-control": "no-store" } });

/** The body of every response of the agent's endpoint that is not 2xx, and of the plain routes. */
export function errorResponse(error: unknown): Response {
  const { status, code, message, detail } = errorOf(error);
  return json({ error: { code, message, ...detail } }, status);
}
