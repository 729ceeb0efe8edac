import { run, sql } from "@rigmark/db";
import type { HostFacts } from "@rigmark/protocol";
import type { Call } from "../context";
import { enterAsAgent } from "../internal/access";
import { topics } from "../internal/bus";
import { storable, storableJson } from "../internal/text";

export async function putFacts({ ctx, input }: Call<HostFacts>): Promise<void> {
  const { workspaceId, hostId } = enterAsAgent(ctx);
  await run(
    ctx.db,
    sql`UPDATE host SET facts = ${storableJson(input)}::jsonb, facts_at = ${ctx.now()}, boot_id = ${storable(input.boot_id)},
          hostname = ${storable(input.hostname)}, agent_version = ${storable(input.agent_version)}
        WHERE workspace_id = ${workspaceId} AND host_id = ${hostId}`,
  );
  ctx.bus.hint(topics.host(hostId));
}
