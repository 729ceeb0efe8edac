import { all, one, sql } from "@rigmark/db";
import type { Call, Ctx } from "../context";
import { DomainError, isDomainError } from "../error";
import { enterWorkspace, requirePerson, stayInWorkspace } from "../internal/access";
import { audit } from "../internal/audit";
import { countInWindow } from "../internal/count";
import { iso } from "../internal/moment";
import { readRun } from "../internal/run/read-run";
import { storableJson } from "../internal/text";
import { getWorkspace } from "./get";

const WINDOW_S = 300;
/** Exports of one person in five minutes: each reads everything that the workspace holds. */
const MOST = 5;
/** A person who lost the right to it gets no more than so many runs. */
const CHECK_EVERY = 20;

/**
 * A workspace as one JSON document, in pieces: members, invitations, hosts with their facts, tokens and
 * webhooks without their secrets, schedules, badges, the log, runs with their results, and reports. Samples, logs and raw output are left to the API, run by run.
 */
export async function* exportWorkspace({ ctx, input }: Call<{ workspace: string }>): AsyncGenerator<string> {
  const { userId } = requirePerson(ctx);
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "exportWorkspace");
  const { count, ends_in_s } = await countInWindow(ctx.db, `export|${userId}`, WINDOW_S, ctx.now());
  if (count > MOST)
    throw new DomainError("rate_limited", "You exported several times already; wait five minutes.", {
      retry_after_s: ends_in_s,
    });
  await audit(ctx.db, ctx, { workspaceId, what: "workspace-exported" });
  const { may: _, ...workspace } = await getWorkspace({ ctx, input });
  yield `{"format": "rigmark-workspace", "version": 1, "exported_at": "${iso(ctx.now())}"`;
  yield `,\n"workspace": ${storableJson(workspace)}`;
  for (const [name, rows] of Object.entries(await smallTables(ctx, workspaceId)))
    yield `,\n"${name}": ${storableJson(rows)}`;
  yield ',\n"runs": [';
  yield* separated(runsOf(ctx, workspaceId, input.workspace));
  yield '],\n"reports": [';
  yield* separated(reportsOf(ctx, workspaceId));
  yield "]}\n";
}

async function smallTables(ctx: Ctx, workspaceId: string): Promise<Record<string, unknown[]>> {
  const where = { workspace_id: workspaceId };
  const [members, invitations, hosts, tokens, schedules, webhooks, badges, log] = await Promise.all([
    ctx.db.prisma.member.findMany({
      where,
      orderBy: { created_at: "asc" },
      select: { user_id: true, role: true, created_at: true, user: { select: { name: true, email: true } } },
    }),
    ctx.db.prisma.invitation.findMany({
      where,
      orderBy: { created_at: "asc" },
      omit: { workspace_id: true },
    }),
    ctx.db.prisma.host.findMany({
      where,
      orderBy: { enrolled_at: "asc" },
      omit: { workspace_id: true, catalogue_digest: true },
    }),
    ctx.db.prisma.token.findMany({
      where: { ...where, user_id: null },
      orderBy: { created_at: "asc" },
      omit: { workspace_id: true, user_id: true },
    }),
    ctx.db.prisma.schedule.findMany({ where, orderBy: { created_at: "asc" }, omit: { workspace_id: true } }),
    ctx.db.prisma.webhook.findMany({
      where,
      orderBy: { created_at: "asc" },
      omit: { workspace_id: true, secret: true },
    }),
    ctx.db.prisma.badge.findMany({ where, orderBy: { created_at: "asc" }, omit: { workspace_id: true } }),
    ctx.db.prisma.auditEvent.findMany({ where, orderBy: { at: "asc" }, omit: { workspace_id: true } }),
  ]);
  return { members, invitations, hosts, tokens, schedules, webhooks, badges, log };
}

async function* runsOf(ctx: Ctx, workspaceId: string, slug: string): AsyncGenerator<string> {
  const rows = await all<{ run_id: string }>(
    ctx.db,
    sql`SELECT run_id FROM run WHERE workspace_id = ${workspaceId} AND deleted_at IS NULL ORDER BY created_at, run_id`,
  );
  for (const [place, { run_id }] of rows.entries()) {
    if (place % CHECK_EVERY === 0) await stayInWorkspace(ctx, slug, "exportWorkspace");
    try {
      yield storableJson((await readRun(ctx, workspaceId, run_id)).view);
    } catch (error) {
      // It was deleted a moment ago.
      if (!isDomainError(error)) throw error;
    }
  }
}

async function* reportsOf(ctx: Ctx, workspaceId: string): AsyncGenerator<string> {
  const rows = await ctx.db.prisma.report.findMany({
    where: { workspace_id: workspaceId },
    select: {
      report_id: true,
      title: true,
      created_at: true,
      revoked_at: true,
      visibility: true,
      expires_at: true,
      slug: { select: { slug: true } },
    },
    orderBy: [{ created_at: "asc" }, { report_id: "asc" }],
  });
  for (const { slug, ...report } of rows) {
    const row = await one<{ snapshot: string | null }>(
      ctx.db,
      sql`SELECT nullif(snapshot, '') AS snapshot FROM report WHERE workspace_id = ${workspaceId} AND report_id = ${report.report_id}`,
    );
    const head = storableJson({ ...report, slug: slug?.slug ?? null }).slice(0, -1);
    // The snapshot is JSON as it stands.
    yield `${head},"snapshot":${row?.snapshot ?? "null"}}`;
  }
}

async function* separated(items: AsyncGenerator<string>): AsyncGenerator<string> {
  let first = true;
  for await (const item of items) {
    yield first ? `\n${item}` : `,\n${item}`;
    first = false;
  }
}
