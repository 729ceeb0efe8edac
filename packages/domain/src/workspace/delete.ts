import { one, sql } from "@rigmark/db";
import type { WorkspaceDeleted } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace, requirePerson } from "../internal/access";
import { audit } from "../internal/audit";
import { topics } from "../internal/bus";
import { keptUntil } from "../internal/deleted";
import { endWorkspace } from "../internal/end-workspace";
import { iso } from "../internal/moment";
import { printable } from "../internal/text";

/**
 * Takes the workspace with its hosts, runs and reports away from everybody at once; links to its reports stop working. An
 * owner can restore it for some days, then it is removed. `name`: as somebody typed it who means it.
 */
export async function deleteWorkspace({
  ctx,
  input,
}: Call<{ workspace: string; name: string }>): Promise<WorkspaceDeleted> {
  requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "deleteWorkspace");
  const now = ctx.now();
  const runs = await ctx.db.tx(async (tx) => {
    const row = await one<{ name: string; home: boolean }>(
      tx,
      sql`SELECT name, home FROM workspace WHERE workspace_id = ${workspaceId} FOR NO KEY UPDATE`,
    );
    if (row?.home)
      throw new DomainError(
        "state",
        "This is the installation's own workspace, which `./rig up` needs; delete its runs and revoke its hosts instead.",
      );
    if (!row || asTyped(row.name) !== asTyped(input.name))
      throw new DomainError("invalid", "This is not the name of the workspace; type it as shown above.");
    await audit(tx, ctx, { workspaceId, what: "workspace-deleted" });
    return endWorkspace(tx, workspaceId, now);
  });
  for (const runId of runs) ctx.bus.hint(topics.run(runId));
  return { kept_until: iso(keptUntil(now)) };
}

/** A page shows spaces in a row as one, and its button asks for no capitals. */
const asTyped = (name: string): string => printable(name).replace(/\s+/g, " ").toLowerCase();
