import { type DomainError, isDomainError } from "@rigmark/domain";
import { PROBLEMS, type Problem, type ProblemCode } from "@rigmark/results/public";

/** Something that the API itself refuses. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  constructor(
    readonly code: ProblemCode,
    readonly detail: string,
    readonly more: { errors?: { path: string; detail: string }[] } = {},
    readonly headers: Record<string, string> = {},
  ) {
    super(detail);
  }
}

const CODES: Record<DomainError["code"], ProblemCode> = {
  invalid: "invalid",
  unauthenticated: "unauthorized",
  key_unknown: "unauthorized",
  key_used: "conflict",
  key_expired: "gone",
  revoked: "forbidden",
  forbidden: "forbidden",
  not_found: "not_found",
  state: "conflict",
  chunk_gap: "conflict",
  chunks_missing: "conflict",
  superseded: "gone",
  digest: "conflict",
  too_large: "too_large",
  chunk_conflict: "invalid",
  protocol: "invalid",
  rate_limited: "too_many",
  gone: "gone",
  internal: "internal",
  unavailable: "unavailable",
};

/** The one place where errors become problems. `explain` says what the caller may know of an error that nobody threw. */
export function problemOf(
  error: unknown,
  publicUrl: string,
  explain: (error: unknown) => { status: number; message: string },
): Response {
  if (error instanceof ProblemError)
    return problem(publicUrl, error.code, error.detail, error.more, error.headers);
  if (isDomainError(error)) {
    const { retry_after_s, ...detail } = error.detail;
    const headers: Record<string, string> =
      retry_after_s === undefined ? {} : { "retry-after": String(retry_after_s) };
    return problem(publicUrl, CODES[error.code], error.message, detail, headers);
  }
  const { status, message } = explain(error);
  return problem(publicUrl, status === 503 ? "unavailable" : "internal", message);
}

function problem(
  publicUrl: string,
  code: ProblemCode,
  detail: string,
  more: object = {},
  headers: Record<string, string> = {},
): Response {
  const [status, title] = PROBLEMS[code];
  const body: Problem = { type: `${publicUrl}/docs/api#${code}`, title, status, detail, code, ...more };
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "content-type": "application/problem+json",
      "cache-control": "no-store",
      ...(status === 401 ? { "www-authenticate": 'Bearer realm="Rigmark"' } : {}),
      ...headers,
    },
  });
}
