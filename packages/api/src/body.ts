import { DomainError } from "@rigmark/domain";

/** Reads at most `limit` bytes and stops there, whatever the headers promise. */
export async function readBody(request: Request, limit: number): Promise<Buffer> {
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
