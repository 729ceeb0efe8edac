import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createTestDatabase } from "../src/testing";

describe("constraints", () => {
  let db: pg.Client;
  const ws = "01936b2e-7c1a-7000-8000-00000000000a";
  const [host, otherHost] = ["01936b2e-7c1a-7000-8000-00000000000b", "01936b2e-7c1a-7000-8000-00000000000c"];
  const [run, otherRun] = ["01936b2e-7c1a-7000-8000-00000000000d", "01936b2e-7c1a-7000-8000-00000000000e"];

  beforeAll(async () => {
    db = new pg.Client({ connectionString: await createTestDatabase(inject("clusterUrl")) });
    await db.connect();
    await db.query("INSERT INTO workspace (workspace_id, name) VALUES ($1, 'lab')", [ws]);
    for (const id of [host, otherHost])
      await db.query(
        "INSERT INTO host (workspace_id, host_id, name, public_key, hostname, agent_version) VALUES ($1, $2, '', '', '', '')",
        [ws, id],
      );
    for (const id of [run, otherRun])
      await db.query("INSERT INTO run (workspace_id, run_id, title, spec) VALUES ($1, $2, '', '{}')", [
        ws,
        id,
      ]);
    await attempt(run, host, 1);
  });
  afterAll(() => db.end());

  const attempt = (runId: string, hostId: string, no: number, live = true) =>
    db.query(
      `INSERT INTO attempt (workspace_id, attempt_id, run_id, attempt_no, host_id, request_id, live, lease_expires_at)
       VALUES ($1, gen_random_uuid(), $2, $3, $4, gen_random_uuid(), $5, now())`,
      [ws, runId, no, hostId, live],
    );

  it("allow one live attempt a run and one a host", async () => {
    await expect(attempt(run, otherHost, 2)).rejects.toThrow("attempt_one_live_per_run");
    await expect(attempt(otherRun, host, 1)).rejects.toThrow("attempt_one_live_per_host");
    await attempt(run, host, 2, false);
    await expect(attempt(run, host, 2, false)).rejects.toThrow("attempt_no");
  });

  it("know the states of a run and refuse others", async () => {
    await expect(db.query("UPDATE run SET state = 'done'")).rejects.toThrow("run_state");
  });

  it("have workspace_id first in each key of a tenant's table", async () => {
    const { rows } = await db.query<{ table: string; first: string }>(
      `SELECT c.relname AS table, a.attname AS first FROM pg_index i
       JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
       JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0] WHERE i.indisprimary`,
    );
    // People, their tokens and sign-ins belong to no workspace; look-ups lead from a slug, a hash or an id to one.
    const exempt =
      /^(user|session|account|verification|rate_limit|token|idempotent_request|device_login|_prisma_migrations|.*_(slug|lookup|claim|nonce|session))$/;
    const wrong = rows.filter((r) => !exempt.test(r.table) && r.first !== "workspace_id");
    expect(wrong).toEqual([]);
    expect(rows.length).toBeGreaterThan(30);
  });
});
