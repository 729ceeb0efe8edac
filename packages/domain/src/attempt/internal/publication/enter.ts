import { run, sql } from "@rigmark/db";
import type { Ctx } from "../../../context";
import { DomainError } from "../../../error";
import { refuseDeleted } from "../../../internal/deleted";
import { later } from "../../../internal/moment";
import { noSuch } from "../../../internal/no-such";
import { findPublished, type Published } from "./find";
import { enterAsPublisher, type Publisher } from "./publisher";

/** A publication that nothing was added to for so long is given up; what is here stays, and it can go on later. */
export const PATIENCE_S = 900;

const UNKNOWN = noSuch("publication");

export interface Entered {
  at: Publisher;
  row: Published;
  /** For the verbs of an attempt: they take it from its host. */
  host: Ctx;
}

/** Lets a publisher through to a run that was published to this workspace. */
export async function enterPublication(
  ctx: Ctx,
  input: { workspace: string; runId: string },
): Promise<Entered> {
  const at = await enterAsPublisher(ctx, input.workspace);
  const row = await findPublished(ctx.db, at.workspaceId, input.runId);
  if (!row) throw new DomainError("not_found", UNKNOWN);
  refuseDeleted(ctx, row.deleted_at, UNKNOWN);
  return { at, row, host: asHost(ctx, at, row) };
}

const asHost = (ctx: Ctx, at: Publisher, row: Published): Ctx => ({
  ...ctx,
  actor: { kind: "agent", workspaceId: at.workspaceId, hostId: row.host_id },
});

/** It goes on: nobody gives it up before its time. */
export const keepAlive = (ctx: Ctx, at: Publisher, attemptId: string) =>
  run(
    ctx.db,
    sql`UPDATE attempt SET lease_expires_at = ${later(ctx.now(), PATIENCE_S)}
        WHERE workspace_id = ${at.workspaceId} AND attempt_id = ${attemptId} AND finished_at IS NULL
          AND lease_expires_at < ${later(ctx.now(), PATIENCE_S - 60)}`,
  );
