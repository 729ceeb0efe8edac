import type { Call } from "../context";
import { requireStoredRoom } from "../internal/quota";
import { enterPublication, keepAlive } from "./internal/publication/enter";
import { nextSeqs } from "./internal/stream";
import { type ChunkInput, putChunk } from "./put-chunk";

type Input = { workspace: string; runId: string } & Omit<ChunkInput, "attemptId" | "attemptNo">;

/** A chunk of a file, under the same rules as one from an agent. */
export async function putPublicationChunk({ ctx, input }: Call<Input>): Promise<{ next_seq: number }> {
  const { workspace, runId, ...chunk } = input;
  const { at, row, host } = await enterPublication(ctx, { workspace, runId });
  // Its publisher has the file still: nothing is lost, and it goes on where there is room again.
  const stored = await nextSeqs(ctx.db, { workspaceId: at.workspaceId, attemptId: row.attempt_id });
  if (chunk.seq >= stored[chunk.stream]) await requireStoredRoom(ctx.db, ctx, at.workspaceId);
  const response = await putChunk({
    ctx: host,
    input: { ...chunk, attemptId: row.attempt_id, attemptNo: row.attempt_no },
  });
  await keepAlive(ctx, at, row.attempt_id);
  return response;
}
