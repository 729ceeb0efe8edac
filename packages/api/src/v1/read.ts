import type { z } from "zod";
import { refusalOf, wordsOf } from "../refusal";
import { ProblemError } from "./problem";

/** Wrong fields that are named at once. */
const MOST_ERRORS = 20;

/** What a schema makes of it, or a problem that names each wrong field. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, MOST_ERRORS).map((issue) => ({
    path: issue.path.join("."),
    detail: wordsOf(issue),
  }));
  const first = refusalOf(result.error.issues[0], `The ${what}`);
  const others = result.error.issues.length - 1;
  throw new ProblemError(
    "invalid",
    `The ${what} is not valid. ${first}${others > 0 ? `, and ${others} more in \`errors\`` : ""}.`,
    { errors },
  );
}

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ProblemError("invalid", "The body is not UTF-8.");
  }
}

/** The value of a JSON body. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProblemError("invalid", "The body is not JSON. Send a JSON object.");
  }
}
