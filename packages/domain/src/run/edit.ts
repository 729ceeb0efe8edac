import { one, sql } from "@rigmark/db";
import type { RunEdit, RunWords } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { topics } from "../internal/bus";
import { lineOf, nameOf } from "../internal/name";
import { findRun } from "../internal/run/find";
import { drawable } from "../internal/text";

/**
 * Changes what a run is called, its note and its tags, whatever state it is in. Reports that were made of it stay as they
 * are, and notes and tags are in none.
 */
export async function editRun({
  ctx,
  input,
}: Call<{ workspace: string; runId: string } & RunEdit>): Promise<RunWords> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "queue");
  await findRun(ctx, workspaceId, input.runId);
  const title = input.title === undefined ? null : nameOf(input.title, "run");
  const note = input.note === undefined ? null : textOf(input.note);
  const tags = input.tags === undefined ? null : tagsOf(input.tags);
  const words = await one<RunWords>(
    ctx.db,
    sql`UPDATE run SET revision = revision + 1, title = coalesce(${title}::text, title),
          note = nullif(coalesce(${note}::text, note), ''), tags = coalesce(${tags}::text[], tags)
        WHERE workspace_id = ${workspaceId} AND run_id = ${input.runId} AND deleted_at IS NULL
        RETURNING title, note, tags`,
  );
  if (!words) throw new DomainError("state", "The run was deleted a moment ago; restore it first.");
  ctx.bus.hint(topics.run(input.runId));
  return words;
}

const textOf = (text: string): string => drawable(text.replace(/\r\n?/g, "\n")).trim();

/** In their order, each once, in whatever case it was written. */
function tagsOf(texts: readonly string[]): string[] {
  const byName = new Map<string, string>();
  for (const tag of texts.map(lineOf)) {
    const name = tag.toLowerCase();
    if (tag !== "" && !byName.has(name)) byName.set(name, tag);
  }
  return [...byName.values()];
}
