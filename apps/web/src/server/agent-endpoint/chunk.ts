import { readBody } from "@rigmark/api/body";
import { type Ctx, DomainError, putChunk } from "@rigmark/domain";
import { CHUNK_HEADERS, LIMITS, Sha256, StreamName } from "@rigmark/protocol";
import { z } from "zod";

const Whole = z.coerce
  .number()
  .int()
  .min(0)
  .max(2 ** 31 - 1);
const Head = z.object({
  stream: StreamName,
  seq: z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number),
  sha256: Sha256,
  records: Whole,
  attemptNo: Whole,
});

/** PUT attempts/:id/streams/:name/chunks/:seq */
export async function receiveChunk(
  ctx: Ctx,
  request: Request,
  attemptId: string,
  stream: string,
  seq: string,
) {
  const { headers } = request;
  const head = Head.safeParse({
    stream,
    seq,
    sha256: headers.get(CHUNK_HEADERS.sha256),
    records: headers.get(CHUNK_HEADERS.records) ?? "",
    attemptNo: headers.get(CHUNK_HEADERS.attempt_no) ?? "",
  });
  if (!head.success) {
    const issue = head.error.issues[0];
    throw new DomainError(
      "invalid",
      `The address or a header of the chunk is wrong: ${issue?.path.join(".")}: ${issue?.message}.`,
    );
  }
  const body = await readBody(request, LIMITS.chunk_bytes);
  return putChunk({ ctx, input: { attemptId, body, ...head.data } });
}
