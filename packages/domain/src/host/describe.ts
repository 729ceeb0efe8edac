import { type Query, sql } from "@rigmark/db";
import type { Catalogue } from "@rigmark/protocol";
import type { HostBrief } from "@rigmark/results/public";
import type { Call, Ctx } from "../context";
import { enterWorkspace } from "../internal/access";
import { noSuchPage } from "../internal/cursor";
import { readCatalogue } from "../internal/host/catalogue";
import { findHost, findHosts, type HostRow, hostSummary } from "../internal/host/summary";
import { reachHost } from "../internal/reach";

/** Hosts of a workspace for the public API, by name; those that were removed are left out. The cursor is a place. */
export async function describeHosts({
  ctx,
  input,
}: Call<{ workspace: string; cursor?: string | undefined; limit: number }>): Promise<{
  items: HostBrief[];
  next_cursor: string | null;
}> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const after = input.cursor === undefined ? null : placeOf(input.cursor);
  const filter: Query =
    after === null
      ? sql`h.revoked_at IS NULL`
      : sql`h.revoked_at IS NULL AND (h.name, h.host_id) > (${after[0]}, ${after[1]}::uuid)`;
  const rows = await findHosts(ctx, workspaceId, filter);
  const page = rows.slice(0, input.limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => briefOf(ctx, row)),
    next_cursor:
      rows.length > page.length && last
        ? Buffer.from(JSON.stringify([last.name, last.host_id])).toString("base64url")
        : null,
  };
}

function placeOf(cursor: string): [string, string] {
  try {
    const [name, id]: unknown[] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
    if (typeof name === "string" && typeof id === "string" && /^[0-9a-f-]{36}$/.test(id)) return [name, id];
  } catch {
    // Said below.
  }
  throw noSuchPage();
}

export async function describeHost({ ctx, input }: Call<{ hostId: string }>): Promise<HostBrief> {
  const { workspaceId } = await reachHost(ctx, input.hostId, "read");
  return briefOf(ctx, await findHost(ctx, workspaceId, input.hostId));
}

/** What works on the host, and why the rest does not, as its agent sent it. */
export async function describeCatalogue({ ctx, input }: Call<{ hostId: string }>): Promise<Catalogue> {
  const { workspaceId } = await reachHost(ctx, input.hostId, "read");
  return readCatalogue(ctx, workspaceId, input.hostId);
}

function briefOf(ctx: Ctx, row: HostRow): HostBrief {
  const host = hostSummary(row, ctx.now());
  return {
    id: host.host_id,
    name: host.name,
    kind: row.kind,
    online: host.online,
    last_seen_at: host.last_seen_at,
    os: host.os,
    arch: host.arch,
    cpu_model: host.cpu_model,
    cores: host.cpus_online,
    agent_version: host.agent_version,
  };
}
