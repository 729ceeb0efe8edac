import { readBody } from "@rigmark/api/body";
import { refusalOf } from "@rigmark/api/refusal";
import { DomainError } from "@rigmark/domain";
import type { z } from "zod";

/** A message of the protocol. The first thing wrong with it is named. */
export async function readMessage<T>(request: Request, schema: z.ZodType<T>, limit = 64 * 1024): Promise<T> {
  const bytes = await readBody(request, limit);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new DomainError("invalid", "The body is not JSON.", {}, { cause });
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const refusal = refusalOf(parsed.error.issues[0], "The body").slice(0, 500);
  throw new DomainError("invalid", `${refusal}.`);
}
