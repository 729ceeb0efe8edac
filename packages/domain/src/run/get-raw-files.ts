import { all, sql } from "@rigmark/db";
import type { RawFiles } from "@rigmark/results";
import type { Call } from "../context";
import { enterWorkspace } from "../internal/access";
import { inflateChunk, parseRecords } from "../internal/decode-chunk";
import { findRun } from "../internal/run/find";

/** What a page can show, of all files together; the rest is in the stored chunks. */
const SHOWN_CHARS = 1_000_000;
const SHOWN_FILES = 16;

/** What the tool printed in one trial. Read from the chunks themselves: they are the record. */
export async function getRawFiles({
  ctx,
  input,
}: Call<{ workspace: string; runId: string; trialId: string }>): Promise<RawFiles> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const row = await findRun(ctx, workspaceId, input.runId);
  const chunks = await all<{ seq: number }>(
    ctx.db,
    sql`SELECT seq FROM chunk WHERE workspace_id = ${workspaceId} AND attempt_id = ${row.attempt_id} AND stream = 'raw'
          AND (trial_ids IS NULL OR ${input.trialId}::uuid = ANY(trial_ids)) ORDER BY seq`,
  );
  const files: RawFiles["files"] = [];
  let room = SHOWN_CHARS;
  for (const { seq } of chunks) {
    const [chunk] = await all<{ body: Buffer }>(
      ctx.db,
      sql`SELECT body FROM chunk
          WHERE workspace_id = ${workspaceId} AND attempt_id = ${row.attempt_id} AND stream = 'raw' AND seq = ${seq}`,
    );
    if (!chunk) continue;
    for (const { data } of parseRecords(await inflateChunk(chunk.body), "raw")) {
      if (data.trial_id.toLowerCase() !== input.trialId.toLowerCase()) continue;
      let file = files.find((f) => f.name === data.name);
      if (!file && files.length < SHOWN_FILES) {
        file = { name: data.name, text: "", truncated: false };
        files.push(file);
      }
      const text = file ? data.text.slice(0, room) : "";
      room -= text.length;
      if (file) file.text += text;
      const last = file ?? files.at(-1);
      if (last) last.truncated ||= data.truncated || text.length < data.text.length;
    }
    if (room === 0) break;
  }
  const last = files.at(-1);
  if (last && room === 0) last.truncated = true;
  return { files };
}
