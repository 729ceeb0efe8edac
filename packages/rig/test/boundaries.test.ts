import { expect, test } from "vitest";
import { breachesIn } from "../src/check/boundaries";

const whys = (owner: string, file: string, name: string, how = "import") =>
  breachesIn(
    owner,
    file,
    how === "import" ? `import { x } from "${name}";` : `const x = await import("${name}");`,
  ).map((b) => b.why);
const onlyDomain = ["only packages/domain may import the database"];

test("the database is reached through domain only", () => {
  const db = "@rigmark/db";
  expect(whys("packages/api", "packages/api/src/root.ts", db)).toEqual(onlyDomain);
  expect(whys("apps/web", "apps/web/src/app/page.tsx", `${db}/migrate`, "await import")).toEqual(onlyDomain);
  expect(whys("packages/domain", "packages/domain/src/run/create.ts", db)).toEqual([]);
  expect(whys("packages/rig", "packages/rig/src/up/a.ts", `${db}/embedded`)).toEqual([]);
  expect(whys("packages/rig", "packages/rig/src/up/a.ts", db)).toEqual(onlyDomain);
});

test("tests may make a database of their own", () => {
  const testing = "@rigmark/db/testing";
  expect(whys("packages/api", "packages/api/test/a.test.ts", testing)).toEqual([]);
  expect(whys("packages/api", "packages/api/src/a.ts", testing)).toEqual(onlyDomain);
});

test("packages are reached by name, through their exports", () => {
  const file = "packages/api/src/a.ts";
  expect(whys("packages/api", file, "@rigmark/domain/src/run")).toHaveLength(1);
  expect(whys("packages/api", file, "../../domain/src/index")).toHaveLength(1);
  expect(whys("packages/api", file, "../b")).toEqual([]);
});
