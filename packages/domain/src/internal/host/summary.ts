import { all, type Query, sql } from "@rigmark/db";
import type { HostFacts, RunState } from "@rigmark/protocol";
import type { HostKind, HostStatus, HostSummary } from "@rigmark/results";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { iso, isoOrNull } from "../moment";
import { noSuch } from "../no-such";

/** A host that was not heard of for so long is offline; lease requests are held for up to 25 s. */
const ONLINE_MS = 60_000;
/** Who was heard of after this is online. */
export const onlineSince = (now: Date): Date => new Date(now.getTime() - ONLINE_MS);

export interface HostRow {
  host_id: string;
  name: string;
  kind: HostKind;
  hostname: string;
  agent_version: string;
  enrolled_at: Date;
  last_seen_at: Date | null;
  revoked_at: Date | null;
  facts: HostFacts | null;
  facts_at: Date | null;
  catalogue_at: Date | null;
  current_run_id: string | null;
  current_title: string | null;
  current_state: RunState | null;
}

export const findHosts = (ctx: Ctx, workspaceId: string, filter: Query = sql`true`): Promise<HostRow[]> =>
  all<HostRow>(
    ctx.db,
    sql`SELECT h.host_id, h.name, h.kind, h.hostname, h.agent_version, h.enrolled_at, h.last_seen_at, h.revoked_at,
          h.facts, h.facts_at, h.catalogue_at,
          r.run_id AS current_run_id, r.title AS current_title, r.state AS current_state
        FROM host h
        LEFT JOIN attempt a ON a.workspace_id = h.workspace_id AND a.host_id = h.host_id AND a.live
        LEFT JOIN run r ON r.workspace_id = a.workspace_id AND r.run_id = a.run_id AND r.deleted_at IS NULL
        WHERE h.workspace_id = ${workspaceId} AND ${filter}
        ORDER BY h.revoked_at NULLS FIRST, h.name, h.host_id`,
  );

export async function findHost(ctx: Ctx, workspaceId: string, hostId: string): Promise<HostRow> {
  const [row] = await findHosts(ctx, workspaceId, sql`h.host_id = ${hostId}`);
  if (!row) throw new DomainError("not_found", noSuch("host"));
  return row;
}

const statusOf = (row: HostRow, now: Date): HostStatus => {
  if (row.revoked_at) return "revoked";
  if (row.kind === "published") return "published";
  if (!row.last_seen_at) return "waiting";
  return row.last_seen_at > onlineSince(now) ? "online" : "offline";
};

export function hostSummary(row: HostRow, now: Date): HostSummary {
  const { facts } = row;
  const status = statusOf(row, now);
  const checks = { ok: 0, warn: 0, fail: 0, unknown: 0 };
  for (const check of facts?.checks ?? []) checks[check.status] += 1;
  return {
    host_id: row.host_id,
    name: row.name,
    status,
    online: status === "online",
    last_seen_at: isoOrNull(row.last_seen_at),
    enrolled_at: iso(row.enrolled_at),
    revoked_at: isoOrNull(row.revoked_at),
    hostname: facts?.hostname ?? row.hostname,
    os: facts?.os ?? null,
    os_name: facts?.os_name ?? null,
    kernel: facts?.kernel ?? null,
    arch: facts?.arch ?? null,
    board: facts?.board ?? null,
    cpu_model: facts?.cpu_model ?? null,
    cpus_online: facts?.cpus_online ?? null,
    memory_bytes: facts?.memory_bytes ?? null,
    agent_version: facts?.agent_version ?? row.agent_version,
    checks: facts ? checks : null,
    current_run:
      row.current_run_id && row.current_state
        ? { run_id: row.current_run_id, title: row.current_title ?? "", state: row.current_state }
        : null,
  };
}
