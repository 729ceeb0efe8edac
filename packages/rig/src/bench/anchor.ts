import pg from "pg";
import { Disturbed } from "./attempt";

/** When an attempt's journal began, on the wall clock of the host. Read as a witness from outside, past the domain. */
export async function readAnchor(databaseUrl: string, runId: string): Promise<{ wall_ms: number }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ wall_us: string | null }>(
      "SELECT wall_us FROM attempt WHERE run_id = $1 ORDER BY attempt_no DESC LIMIT 1",
      [runId],
    );
    const wall = rows[0]?.wall_us;
    if (!wall) throw new Disturbed("The run has no journal.");
    return { wall_ms: Number(wall) / 1000 };
  } finally {
    await client.end();
  }
}
