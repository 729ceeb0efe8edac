import pg from "pg";
import { Disturbed } from "./attempt";

/** When an attempt's journal began, on the wall clock of the host. Read as a witness from outside, past the domain. */
export async function readAnchor(databaseUrl: string, runId: string): Promise<{ wall_ms: number }> {
  const wall = await only<{ wall_us: string | null }>(
    databaseUrl,
    "SELECT wall_us FROM attempt WHERE run_id = $1 ORDER BY attempt_no DESC LIMIT 1",
    runId,
  );
  if (!wall?.wall_us) throw new Disturbed("The run has no journal.");
  return { wall_ms: Number(wall.wall_us) / 1000 };
}

/** When a host's agent had its first session, on the app's clock; null before. */
export async function readFirstSession(databaseUrl: string, hostId: string): Promise<number | null> {
  const session = await only<{ created_at: Date }>(
    databaseUrl,
    "SELECT created_at FROM host_session WHERE host_id = $1 ORDER BY created_at LIMIT 1",
    hostId,
  );
  return session?.created_at.getTime() ?? null;
}

async function only<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  query: string,
  id: string,
): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(query, [id])).rows[0];
  } finally {
    await client.end();
  }
}
