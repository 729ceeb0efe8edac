import { all, one, run, sql, type Tx } from "@rigmark/db";
import {
  Catalogue,
  type CatalogueScenario,
  type CatalogueServer,
  type CatalogueTool,
  type Suite,
} from "@rigmark/protocol";
import type { Ctx } from "../../context";
import { storableJson } from "../text";

/** The stored catalogue of a host, in the order in which the agent sent it. */
export async function readCatalogue(ctx: Ctx, workspaceId: string, hostId: string): Promise<Catalogue> {
  const of = sql`workspace_id = ${workspaceId} AND host_id = ${hostId}`;
  const [servers, scenarios, tools, suites] = await Promise.all([
    all<{ definition: CatalogueServer }>(
      ctx.db,
      sql`SELECT definition FROM server WHERE ${of} ORDER BY title, name`,
    ),
    all<{ definition: CatalogueScenario }>(
      ctx.db,
      sql`SELECT definition FROM scenario WHERE ${of} ORDER BY title, scenario_id`,
    ),
    all<{ definition: CatalogueTool }>(ctx.db, sql`SELECT definition FROM tool WHERE ${of} ORDER BY name`),
    all<{ definition: Suite }>(
      ctx.db,
      sql`SELECT definition FROM suite WHERE ${of} ORDER BY title, suite_id`,
    ),
  ]);
  return {
    servers: servers.map((r) => r.definition),
    scenarios: scenarios.map((r) => r.definition),
    tools: tools.map((r) => r.definition),
    suites: suites.map((r) => r.definition),
  };
}

/** One suite as the host knows it. */
export async function readSuite(
  ctx: Ctx,
  workspaceId: string,
  hostId: string,
  suite: string,
): Promise<Suite | null> {
  const row = await one<{ definition: Suite }>(
    ctx.db,
    sql`SELECT definition FROM suite WHERE workspace_id = ${workspaceId} AND host_id = ${hostId} AND suite_id = ${suite}`,
  );
  return row?.definition ?? null;
}

/** Replaces the whole catalogue of a host. */
export async function writeCatalogue(
  tx: Tx,
  workspaceId: string,
  hostId: string,
  given: Catalogue,
): Promise<void> {
  const catalogue = Catalogue.parse(JSON.parse(storableJson(given)));
  for (const table of ["server", "scenario", "tool", "suite", "workload"]) {
    await tx.query({
      text: `DELETE FROM "${table}" WHERE workspace_id = $1 AND host_id = $2`,
      values: [workspaceId, hostId],
    });
  }
  await run(
    tx,
    sql`INSERT INTO server (workspace_id, host_id, name, title, content_hash, supported, reason, definition)
        SELECT ${workspaceId}::uuid, ${hostId}::uuid, d->>'name', d->>'title', d->>'content_hash', (d->>'supported')::bool, d->>'reason', d
        FROM jsonb_array_elements(${JSON.stringify(catalogue.servers)}::jsonb) d`,
  );
  await run(
    tx,
    sql`INSERT INTO scenario (workspace_id, host_id, scenario_id, title, workload, tool, supported, reason, definition)
        SELECT ${workspaceId}::uuid, ${hostId}::uuid, d->'scenario'->>'id', d->'scenario'->>'title', d->'scenario'->>'workload',
          d->'scenario'->>'tool', (d->>'supported')::bool, d->>'reason', d
        FROM jsonb_array_elements(${JSON.stringify(catalogue.scenarios)}::jsonb) d`,
  );
  await run(
    tx,
    sql`INSERT INTO tool (workspace_id, host_id, name, version, supported, reason, definition)
        SELECT ${workspaceId}::uuid, ${hostId}::uuid, d->>'name', d->>'version', (d->>'supported')::bool, d->>'reason', d
        FROM jsonb_array_elements(${JSON.stringify(catalogue.tools)}::jsonb) d`,
  );
  await run(
    tx,
    sql`INSERT INTO suite (workspace_id, host_id, suite_id, title, definition)
        SELECT ${workspaceId}::uuid, ${hostId}::uuid, d->>'id', d->>'title', d
        FROM jsonb_array_elements(${JSON.stringify(catalogue.suites)}::jsonb) d`,
  );
  const workloads = [...new Set(catalogue.servers.flatMap((s) => s.workloads))];
  await run(
    tx,
    sql`INSERT INTO workload (workspace_id, host_id, name)
        SELECT ${workspaceId}::uuid, ${hostId}::uuid, name FROM unnest(${workloads}::text[]) name`,
  );
}
