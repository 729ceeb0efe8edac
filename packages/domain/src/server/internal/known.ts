import { all, type Query, sql } from "@rigmark/db";
import type { CatalogueServer } from "@rigmark/protocol";
import type { Ctx } from "../../context";

export interface Known {
  host_id: string;
  definition: CatalogueServer;
}

/** What the hosts that were not removed say of their servers; the host that spoke last comes first. */
export const knownServers = (ctx: Ctx, workspaceId: string, filter: Query = sql`true`): Promise<Known[]> =>
  all<Known>(
    ctx.db,
    sql`SELECT s.host_id, s.definition FROM server s JOIN host h USING (workspace_id, host_id)
        WHERE s.workspace_id = ${workspaceId} AND h.revoked_at IS NULL AND ${filter}
        ORDER BY h.catalogue_at DESC NULLS LAST, s.host_id, s.title, s.name`,
  );
