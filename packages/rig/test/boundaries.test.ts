import { expect, test } from "vitest";
import { breachesIn } from "../src/check/boundaries";

const whys = (owner: string, file: string, text: string) => breachesIn(owner, file, text).map((b) => b.why);
const db = "only packages/domain may import the database";

test("the database is reached through domain only", () => {
  const text = 'import { openDatabase } from "@rigmark/db";';
  expect(whys("packages/api", "packages/api/src/root.ts", text)).toEqual([db]);
  expect(
    whys("apps/web", "apps/web/src/app/page.tsx", 'const a = await import("@rigmark/db/migrate");'),
  ).toEqual([db]);
  expect(whys("packages/domain", "packages/domain/src/run/create.ts", text)).toEqual([]);
  expect(
    whys("packages/rig", "packages/rig/src/up/a.ts", 'import { startEmbedded } from "@rigmark/db/embedded";'),
  ).toEqual([]);
  expect(whys("packages/rig", "packages/rig/src/up/a.ts", text)).toEqual([db]);
});

test("tests may make a database of their own", () => {
  const text = 'import { startCluster } from "@rigmark/db/testing";';
  expect(whys("packages/api", "packages/api/test/a.test.ts", text)).toEqual([]);
  expect(whys("packages/api", "packages/api/src/a.ts", text)).toEqual([db]);
});

test("packages are reached by name, through their exports", () => {
  expect(
    whys("packages/api", "packages/api/src/a.ts", 'import x from "@rigmark/domain/src/run";'),
  ).toHaveLength(1);
  expect(
    whys("packages/api", "packages/api/src/a.ts", 'export * from "../../domain/src/index";'),
  ).toHaveLength(1);
  expect(whys("packages/api", "packages/api/src/a.ts", 'import { x } from "../b";')).toEqual([]);
});
