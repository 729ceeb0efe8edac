import pg from "pg";

/** What a copy has of its own, by table: the rest is as in the run that it was made from. */
const TABLES: [table: string, of: "run_id" | "attempt_id", own: string][] = [
  [
    "run",
    "run_id",
    `'run_id', c.run_id, 'title', 'Copy ' || c.n, 'created_at', c.at, 'started_at', c.at, 'finished_at', c.at,
     'tags', CASE WHEN c.n % 50 = 0 THEN '["release"]'::jsonb ELSE '[]'::jsonb END,
     'source', jsonb_build_object('repository', 'example/server', 'commit', md5(c.n::text) || '01234567', 'branch', 'main'),
     'source_repository', 'example/server', 'source_commit', md5(c.n::text) || '01234567',
     'source_branch', CASE WHEN c.n % 20 = 0 THEN 'main' ELSE 'topic-' || c.n % 100 END`,
  ],
  ["run_host", "run_id", "'run_id', c.run_id"],
  ["baseline", "run_id", "'run_id', c.run_id"],
  [
    "attempt",
    "attempt_id",
    "'attempt_id', c.attempt_id, 'run_id', c.run_id, 'request_id', gen_random_uuid(), 'created_at', c.at",
  ],
  ["entry", "attempt_id", "'attempt_id', c.attempt_id"],
  ["run_scenario", "attempt_id", "'attempt_id', c.attempt_id"],
  [
    "entry_result",
    "attempt_id",
    "'attempt_id', c.attempt_id, 'run_created_at', c.at, 'figure', t.figure * (0.98 + 0.04 * random())",
  ],
];

/**
 * Copies runs, in turn, until there are so many more: a minute apart, before the ones that they were made from. A copy has
 * no trials; lists and histories read none.
 */
export async function copyRuns(
  databaseUrl: string,
  runIds: readonly string[],
  copies: number,
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("SELECT setseed(0.5)");
    await client.query(
      `CREATE TEMP TABLE copy AS
       SELECT g.n, o.run_id AS from_run, o.attempt_id AS from_attempt, gen_random_uuid() AS run_id,
         gen_random_uuid() AS attempt_id, now() - interval '1 hour' - g.n * interval '1 minute' AS at
       FROM generate_series(1, $2::int) AS g(n)
       JOIN (SELECT a.run_id, a.attempt_id, row_number() OVER (ORDER BY a.run_id) - 1 AS place
             FROM attempt a WHERE a.run_id = ANY($1::uuid[])) o ON o.place = g.n % $3::int`,
      [runIds, copies, runIds.length],
    );
    for (const [table, of, own] of TABLES)
      await client.query(
        `INSERT INTO ${table} SELECT n.* FROM copy c
         JOIN ${table} t ON t.${of} = c.${of === "run_id" ? "from_run" : "from_attempt"}
         CROSS JOIN LATERAL jsonb_populate_record(t, jsonb_build_object(${own})) n`,
      );
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}
