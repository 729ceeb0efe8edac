import { all, sql } from "@rigmark/db";
import { inflateChunk, parseRecords } from "../attempt/decode-chunk";
import type { Call } from "../context";
import { enterWorkspace } from "../workspace/access";
import { findRun } from "./find";
import type { RawFiles } from "./view";

/** What a page can show; the rest is in the stored chunks. */
const SHOWN_CHARS = 1_000_000;

/** What the tool printed in one trial. Read from the chunks themselves: they are the record. */
export async function raw({
  ctx,
  input,
}: Call<{ workspace: string; runId: string; trialId: string }>): Promise<RawFiles> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace);
  const row = await findRun(ctx, workspaceId, input.runId);
  const chunks = await all<{ seq: number }>(
    ctx.db,
    sql`SELECT seq FROM chunk WHERE workspace_id = ${workspaceId} AND attempt_id = ${row.attempt_id} AND stream = 'raw' ORDER BY seq`,
  );
  const files = new Map<string, { text: string; truncated: boolean }>();
  for (const { seq } of chunks) {
    const [chunk] = await all<{ body: Buffer }>(
      ctx.db,
      sql`SELECT body FROM chunk
          WHERE workspace_id = ${workspaceId} AND attempt_id = ${row.attempt_id} AND stream = 'raw' AND seq = ${seq}`,
    );
    if (!chunk) continue;
    for (const { data } of parseRecords(await inflateChunk(chunk.body), "raw")) {
      if (data.trial_id !== input.trialId) continue;
      const file = files.get(data.name) ?? { text: "", truncated: false };
      const text = file.text + data.text;
      const cut = text.length > SHOWN_CHARS;
      files.set(data.name, {
        text: cut ? text.slice(0, SHOWN_CHARS) : text,
        truncated: file.truncated || data.truncated || cut,
      });
    }
  }
  return { files: [...files].map(([name, file]) => ({ name, ...file })) };
}
