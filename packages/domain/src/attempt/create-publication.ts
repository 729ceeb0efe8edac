import { one, run, sql, type Tx } from "@rigmark/db";
import type { Publication, PublicationHead } from "@rigmark/results/public";
import type { Call, Ctx } from "../context";
import { DomainError } from "../error";
import { topics } from "../internal/bus";
import { refuseDeleted } from "../internal/deleted";
import { later } from "../internal/moment";
import { noSuch } from "../internal/no-such";
import { requireStoredRoom } from "../internal/quota";
import { foundBy } from "../internal/run/found-by";
import { titleOf } from "../internal/run/queue";
import { setSource } from "../internal/run/set-source";
import { storable, storableJson } from "../internal/text";
import { PATIENCE_S } from "./internal/publication/enter";
import { describe, findPublished, type Published } from "./internal/publication/find";
import { hostOfFile } from "./internal/publication/host";
import { enterAsPublisher, type Publisher } from "./internal/publication/publisher";
import { openStreams } from "./internal/stream";
import { transition } from "./internal/transition";

type Input = { workspace: string } & PublicationHead;

/**
 * Begins to publish the run of a file, or goes on with it: the run has the id that it has in its file, so the same file is
 * the same run, however often it is published.
 */
export async function createPublication({ ctx, input }: Call<Input>): Promise<Publication> {
  const at = await enterAsPublisher(ctx, input.workspace);
  const { begin } = input;
  const row =
    (await findPublished(ctx.db, at.workspaceId, begin.run_id)) ??
    (await ctx.db.tx((tx) => add(ctx, tx, at, input)));
  refuseDeleted(ctx, row.deleted_at, "This run was deleted and is being removed; publish again in a minute.");
  if (row.attempt_id !== begin.attempt_id.toLowerCase() || row.attempt_no !== begin.attempt_no) {
    throw new DomainError(
      "state",
      "This run was already published from another file; both files claim to be the same run.",
    );
  }
  if (!row.finished_at) await goOn(ctx, at, row);
  ctx.bus.hint(topics.run(row.run_id));
  return describe(ctx, at, row);
}

async function add(ctx: Ctx, tx: Tx, at: Publisher, input: Input): Promise<Published> {
  const { begin, facts, title } = input;
  const { workspaceId } = at;
  const now = ctx.now();
  const madeAt = new Date(Math.min(begin.wall_us / 1000, now.getTime()));
  const agentVersion = begin.agent_version;
  const hostId = await hostOfFile(tx, { workspaceId, now, madeAt, agentVersion, facts });
  const titled = { ...begin.spec, title: storable(title ?? titleOf(begin.spec)) };
  const names = foundBy(titled);
  // Of two who publish the same file at once, the second one waits here and finds it made.
  const made = await run(
    tx,
    sql`INSERT INTO run (workspace_id, run_id, title, spec, servers, scenarios, requested_by, published_by, state, attempt_no,
          created_at, started_at)
        VALUES (${workspaceId}, ${begin.run_id}, ${titled.title}, ${storableJson(titled)}::jsonb, ${names.servers}, ${names.scenarios},
          ${at.userId}, ${storable(at.name)}, 'uploading', ${begin.attempt_no}, ${now}, ${madeAt})
        ON CONFLICT DO NOTHING`,
  );
  if (made > 0) await requireStoredRoom(tx, ctx, workspaceId);
  if (made > 0) await addParts(tx, { workspaceId, hostId, now, madeAt }, input);
  if (made > 0 && input.source) await setSource(tx, { workspaceId, runId: begin.run_id }, input.source);
  const row = await findPublished(tx, workspaceId, begin.run_id);
  if (!row) throw new DomainError("not_found", noSuch("publication"));
  return row;
}

async function addParts(
  tx: Tx,
  at: { workspaceId: string; hostId: string; now: Date; madeAt: Date },
  { begin }: Input,
): Promise<void> {
  const { workspaceId, hostId } = at;
  await run(
    tx,
    sql`INSERT INTO run_host (workspace_id, run_id, host_id, role) VALUES (${workspaceId}, ${begin.run_id}, ${hostId}, 'both')`,
  );
  const baseline = begin.spec.baseline ?? begin.spec.entries[0]?.label ?? "";
  await run(
    tx,
    sql`INSERT INTO baseline (workspace_id, run_id, label) VALUES (${workspaceId}, ${begin.run_id}, ${storable(baseline)})`,
  );
  // Never live: it keeps no host busy, and no agent is waited for.
  const attempt = await one(
    tx,
    sql`INSERT INTO attempt (workspace_id, attempt_id, run_id, attempt_no, host_id, request_id, live, created_at, lease_expires_at,
          started_at, boot_id)
        VALUES (${workspaceId}, ${begin.attempt_id}, ${begin.run_id}, ${begin.attempt_no}, ${hostId}, ${begin.attempt_id}, false,
          ${at.now}, ${later(at.now, PATIENCE_S)}, ${at.madeAt}, ${storable(begin.boot_id)})
        ON CONFLICT DO NOTHING RETURNING attempt_id`,
  );
  if (!attempt)
    throw new DomainError(
      "state",
      "Another run of this workspace has the same attempt; the file was changed. Publish the original file.",
    );
  await openStreams(tx, { workspaceId, attemptId: begin.attempt_id });
}

/** One that was given up is being uploaded again. */
async function goOn(ctx: Ctx, at: Publisher, row: Published): Promise<void> {
  const now = ctx.now();
  await ctx.db.prisma.attempt.updateMany({
    where: { workspace_id: at.workspaceId, attempt_id: row.attempt_id, finished_at: null },
    data: { lease_expires_at: later(now, PATIENCE_S) },
  });
  const moved = await transition(
    ctx.db,
    { workspaceId: at.workspaceId, runId: row.run_id },
    { to: "uploading", from: ["incomplete"], attemptNo: row.attempt_no, now, error: null },
  );
  if (moved) row.state = "uploading";
}
