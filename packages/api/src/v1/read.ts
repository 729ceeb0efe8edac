import type { z } from "zod";
import { ProblemError } from "./problem";

/** Wrong fields that are named at once. */
const MOST_ERRORS = 20;

/** What a schema makes of it, or a problem that names each wrong field. */
export function parsed<S extends z.ZodType>(schema: S, value: unknown, what: string): z.output<S> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const errors = result.error.issues.slice(0, MOST_ERRORS).map((issue) => ({
    path: issue.path.join("."),
    detail: issue.message,
  }));
  const [first] = errors;
  const where = first?.path ? `${first.path}: ` : "";
  const others = result.error.issues.length - 1;
  throw new ProblemError(
    "invalid",
    `The ${what} is not valid. ${where}${first?.detail ?? "wrong"}${others > 0 ? `, and ${others} more in \`errors\`` : ""}.`,
    { errors },
  );
}

/** Reads at most `limit` bytes and stops there, whatever the headers promise. */
export async function readBytes(request: Request, limit: number): Promise<Buffer> {
  const tooLarge = () =>
    new ProblemError("too_large", `The body is larger than ${Math.floor(limit / 1024)} KiB.`);
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw tooLarge();
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { done: true };
    if (done || !value) break;
    size += value.length;
    if (size > limit) {
      await reader?.cancel();
      throw tooLarge();
    }
    parts.push(value);
  }
  return Buffer.concat(parts);
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
