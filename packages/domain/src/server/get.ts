import { sql } from "@rigmark/db";
import type { ServerView } from "@rigmark/results";
import type { Call } from "../context";
import { DomainError } from "../error";
import { enterWorkspace } from "../internal/access";
import { findHosts, hostSummary } from "../internal/host/summary";
import { bestResults } from "./internal/best";
import { newestConformance } from "./internal/conformance";
import { knownServers } from "./internal/known";

/** A server: what it is, where it builds, and its best verified results. */
export async function getServer({
  ctx,
  input,
}: Call<{ workspace: string; server: string }>): Promise<ServerView> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const known = await knownServers(ctx, workspaceId, sql`s.name = ${input.server}`);
  const [newest] = known;
  if (!newest) throw new DomainError("not_found", "No host of this workspace has a server of this name.");
  const hosts = await findHosts(
    ctx,
    workspaceId,
    sql`h.host_id = ANY(${known.map((k) => k.host_id)}::uuid[])`,
  );
  const { name, title, language, summary, license, workloads, options } = newest.definition;
  return {
    ...{ name, title, language, summary, license, workloads, options },
    hosts: known.flatMap(({ host_id, definition }) => {
      const row = hosts.find((h) => h.host_id === host_id);
      if (!row) return [];
      const host = hostSummary(row, ctx.now());
      const { supported, reason, fix, content_hash } = definition;
      return [
        {
          ...{ host_id, name: host.name, status: host.status, arch: host.arch, os_name: host.os_name },
          ...{ supported, reason, fix, content_hash },
        },
      ];
    }),
    best: await bestResults(ctx, workspaceId, name),
    conformance: await newestConformance(ctx, workspaceId, name),
  };
}
