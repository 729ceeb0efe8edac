import { createTestDatabase, type Describer, openDescriber } from "@rigmark/db/testing";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { type Declared, disagreements } from "./sql/declared";
import { findStatements } from "./sql/statements";

/** Text that is not made by `sql` alone: table names from a list, and the many columns of a sample. */
const MADE_OTHERWISE = ["attempt/reproject.ts", "internal/host/catalogue.ts", "internal/sample/store.ts"];

let describer: Describer;
beforeAll(async () => {
  describer = await openDescriber(await createTestDatabase(inject("clusterUrl")));
});
afterAll(() => describer.close());

it("every SQL statement fits the schema, and gives the columns of the row type that it is read as", async () => {
  const { statements, unread } = findStatements();
  expect(unread.map((at) => at.replace(/:\d+$/, "")).sort()).toEqual(MADE_OTHERWISE);
  expect(statements.length).toBeGreaterThan(100);
  const wrong: string[] = [];
  for (const { at, text, row } of statements) {
    try {
      const columns = await describer.columns(text);
      if (row) wrong.push(...disagreements(row, columns, text.includes(".*")).map((what) => `${at} ${what}`));
    } catch (error) {
      wrong.push(`${at} ${(error as Error).message}\n${text}`);
    }
  }
  expect(wrong).toEqual([]);
});

it("what differs is named", async () => {
  const columns = await describer.columns(
    "SELECT host_id, revoked_at, facts, count(*) FROM host GROUP BY 1, 2, 3",
  );
  const declared = (name: string, kind: string, nullable = false): Declared => ({
    ...{ name, kinds: [kind], nullable },
    optional: false,
  });
  const right = [
    declared("host_id", "string"),
    declared("revoked_at", "Date", true),
    declared("facts", "object", true),
    declared("count", "number"),
  ];
  expect(disagreements(right, columns)).toEqual([]);
  const wrong = [
    declared("host_id", "number"),
    declared("revoked_at", "Date"),
    ...right.slice(2),
    declared("name", "string"),
  ];
  expect(disagreements(wrong, columns)).toEqual([
    "declares name, which is not selected",
    "declares host_id as number, but it is uuid",
    "declares revoked_at without null, but it may be null",
  ]);
  await expect(describer.columns("SELECT nothing FROM host")).rejects.toThrow(
    'column "nothing" does not exist',
  );
});
