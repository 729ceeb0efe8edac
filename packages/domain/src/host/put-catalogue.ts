import { run, sql } from "@rigmark/db";
import type { Catalogue } from "@rigmark/protocol";
import type { Call } from "../context";
import { enterAsAgent } from "../internal/access";
import { topics } from "../internal/bus";
import { writeCatalogue } from "../internal/host/catalogue";

/** Stores what works on the host. Its digest is whatever the agent calls it in its next lease request. */
export async function putCatalogue({ ctx, input }: Call<Catalogue>): Promise<void> {
  const { workspaceId, hostId } = enterAsAgent(ctx);
  await ctx.db.tx(async (tx) => {
    await run(
      tx,
      sql`UPDATE host SET catalogue_at = ${ctx.now()}, catalogue_digest = NULL
          WHERE workspace_id = ${workspaceId} AND host_id = ${hostId}`,
    );
    await writeCatalogue(tx, workspaceId, hostId, input);
  });
  ctx.bus.hint(topics.host(hostId));
}
