import { WIRE_ERRORS, type WireErrorCode } from "@rigmark/protocol";

/** The codes of the wire, and one that only people meet. */
export type DomainErrorCode = WireErrorCode | "forbidden";

export interface ErrorDetail {
  next_seq?: number;
  missing?: { stream: "journal" | "raw"; from_seq: number; to_seq: number }[];
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
    return this.code === "forbidden" ? 403 : WIRE_ERRORS[this.code];
  }
}

/** A server may hold this module more than once (a bundle a route), so the class itself does not tell. */
export const isDomainError = (error: unknown): error is DomainError =>
  typeof error === "object" && error !== null && BRAND in error;
