import type { DomainError } from "@rigmark/domain";
import { TRPCError } from "@trpc/server";

type Code = TRPCError["code"];

const CODES: Record<DomainError["code"], Code> = {
  invalid: "BAD_REQUEST",
  unauthenticated: "UNAUTHORIZED",
  key_unknown: "UNAUTHORIZED",
  key_used: "CONFLICT",
  key_expired: "CONFLICT",
  revoked: "FORBIDDEN",
  forbidden: "FORBIDDEN",
  // tRPC has no word for what was there and is not any more.
  gone: "NOT_FOUND",
  not_found: "NOT_FOUND",
  state: "CONFLICT",
  chunk_gap: "CONFLICT",
  chunks_missing: "CONFLICT",
  superseded: "CONFLICT",
  digest: "PRECONDITION_FAILED",
  too_large: "PAYLOAD_TOO_LARGE",
  chunk_conflict: "UNPROCESSABLE_CONTENT",
  protocol: "BAD_REQUEST",
  rate_limited: "TOO_MANY_REQUESTS",
  internal: "INTERNAL_SERVER_ERROR",
  unavailable: "SERVICE_UNAVAILABLE",
};

export const toTrpc = (error: DomainError): TRPCError =>
  new TRPCError({ code: CODES[error.code], message: error.message, cause: error });
