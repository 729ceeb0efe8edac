import { z } from "zod";
import { Count, Message } from "../scalar";

/** Each code has one HTTP status; the agent acts on the code, people read the message. */
export const WIRE_ERRORS = {
  invalid: 400,
  unauthenticated: 401,
  key_unknown: 401,
  key_used: 409,
  key_expired: 410,
  revoked: 403,
  not_found: 404,
  state: 409,
  chunk_gap: 409,
  chunks_missing: 409,
  superseded: 410,
  digest: 412,
  too_large: 413,
  chunk_conflict: 422,
  protocol: 426,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const;

export const WireErrorCode = z.enum(Object.keys(WIRE_ERRORS) as [keyof typeof WIRE_ERRORS]);
export type WireErrorCode = keyof typeof WIRE_ERRORS;

/** Body of every response that is not 2xx. */
export const WireError = z.strictObject({
  error: z.strictObject({
    code: WireErrorCode,
    /** One sentence: what happened and what to do next. */
    message: Message,
    /** With `chunk_gap`: the chunk that is waited for. */
    next_seq: Count.optional(),
    /** With `chunks_missing`. `to_seq` is exclusive. */
    missing: z
      .array(z.strictObject({ stream: z.enum(["journal", "raw"]), from_seq: Count, to_seq: Count }))
      .max(1000)
      .optional(),
  }),
});
