import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, inject, it } from "vitest";
import { one, openDatabase, run, sql } from "../src/index";
import { createTestDatabase } from "../src/testing";

it("the client and SQL mean the same moment, whatever zone the server is in", async () => {
  const url = await createTestDatabase(inject("clusterUrl"));
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  await admin.query(`ALTER DATABASE ${admin.database} SET TimeZone = 'Asia/Tokyo'`);
  await admin.end();
  const db = openDatabase(url);
  try {
    const [token, id, at] = ["a".repeat(32), randomUUID(), new Date("2026-07-01T12:00:00.000Z")];
    await run(db, sql`INSERT INTO workspace (workspace_id, name, created_at) VALUES (${id}, 'lab', ${at})`);
    expect((await db.prisma.workspace.findUniqueOrThrow({ where: { workspace_id: id } })).created_at).toEqual(
      at,
    );
    await db.prisma.verification.create({
      data: { id: token, identifier: "x", value: "y", expiresAt: at, updatedAt: at },
    });
    expect(await one(db, sql`SELECT expires_at FROM verification`)).toEqual({ expires_at: at });
  } finally {
    await db.close();
  }
});
