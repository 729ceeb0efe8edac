import { one, sql, type Tx } from "@rigmark/db";
import type { HostFacts } from "@rigmark/protocol";
import { uuidv7 } from "uuidv7";
import { DomainError } from "../../../error";
import { atMost, printable, storable, storableJson } from "../../../internal/text";

/** Names of machines come from files, so there is no end of them by itself. */
const MOST = 200;
const NAMELESS = "unknown machine";

/**
 * The machine that a file was made on, as a host without an agent: one a workspace and machine name. Its facts are those of
 * the newest file.
 */
export async function hostOfFile(
  tx: Tx,
  at: { workspaceId: string; now: Date; madeAt: Date; agentVersion: string; facts: HostFacts | null },
): Promise<string> {
  const hostname = storable(at.facts?.hostname ?? "") || NAMELESS;
  const name = atMost(printable(hostname), 80) || NAMELESS;
  const facts = at.facts && storableJson(at.facts);
  const row = await one<{ host_id: string; made: boolean; before: number }>(
    tx,
    sql`INSERT INTO host (workspace_id, host_id, name, kind, public_key, hostname, agent_version, enrolled_at, facts, facts_at)
        VALUES (${at.workspaceId}, ${uuidv7()}, ${name}, 'published', '', ${hostname}, ${storable(at.agentVersion)}, ${at.now},
          ${facts}::jsonb, ${at.madeAt})
        ON CONFLICT (workspace_id, hostname) WHERE kind = 'published' DO UPDATE SET
          facts = CASE WHEN excluded.facts IS NOT NULL AND excluded.facts_at >= host.facts_at THEN excluded.facts ELSE host.facts END,
          agent_version = CASE WHEN excluded.facts_at >= host.facts_at THEN excluded.agent_version ELSE host.agent_version END,
          facts_at = greatest(host.facts_at, excluded.facts_at)
        RETURNING host_id, xmax = 0 AS made,
          (SELECT count(*) FROM host h WHERE h.workspace_id = ${at.workspaceId} AND h.kind = 'published') AS before`,
  );
  if (!row) throw new Error("an insert that returns has a row");
  if (row.made && row.before >= MOST)
    throw new DomainError(
      "too_large",
      `This workspace already has published runs of ${MOST} machines, which is the limit; publish to another workspace.`,
    );
  return row.host_id;
}
