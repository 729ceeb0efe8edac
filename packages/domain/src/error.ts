import { WIRE_ERRORS, type WireErrorCode } from "@rigmark/protocol";

/** The codes of the wire, and those that only people and the public API meet. */
const STATUS = { ...WIRE_ERRORS, forbidden: 403, gone: 410 } as const;
export type DomainErrorCode = WireErrorCode | "forbidden" | "gone";

export interface ErrorDetail {
  next_seq?: number;
  missing?: { stream: "journal" | "raw"; from_seq: number; to_seq: number }[];
  /** With `rate_limited`: in how many seconds to try again. */
  retry_after_s?: number;
}

const BRAND = Symbol.for("rigmark.DomainError");

/** Something was refused. The message is one sentence or two: what happened, and what to do next. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly [BRAND] = true;

  constructor(
    readonly code: DomainErrorCode,
    message: string,
    readonly detail: ErrorDetail = {},
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }

  get httpStatus(): number {
    return STATUS[this.code];
  }
}

/** A server may hold this module more than once (a bundle a route), so the class itself does not tell. */
export const isDomainError = (error: unknown): error is DomainError =>
  typeof error === "object" && error !== null && BRAND in error;
