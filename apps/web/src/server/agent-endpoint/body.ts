import { DomainError } from "@rigmark/domain";
import type { z } from "zod";

/** Reads at most `limit` bytes and stops there, whatever the headers promise. */
export async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  const tooLarge = () =>
    new DomainError("too_large", `The body is larger than ${Math.floor(limit / 1024)} KiB.`);
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
  const issue = parsed.error.issues[0];
  throw new DomainError(
    "invalid",
    `${issue?.path.join(".") || "The body"}: ${issue?.message ?? "not valid"}.`.slice(0, 500),
  );
}
