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

test("results are for the browser too: neither domain nor the database nor Node", () => {
  const file = "packages/results/src/rank.ts";
  for (const name of ["@rigmark/domain", "@rigmark/domain/networks", "@rigmark/db", "node:crypto", "fs"])
    expect(whys("packages/results", file, name)).toHaveLength(1);
  expect(whys("packages/results", file, "@rigmark/metrics")).toEqual([]);
  expect(whys("packages/results", "packages/results/test/rank.test.ts", "node:fs")).toEqual([]);
});

test("in the web app only the server side imports domain", () => {
  const web = (file: string) => whys("apps/web", `apps/web/src/${file}`, "@rigmark/domain");
  for (const file of ["components/run/run-page.tsx", "lib/live.ts", "app/page.tsx"])
    expect(web(file)).toHaveLength(1);
  for (const file of ["server/domain.ts", "app/api/health/route.ts", "env.ts"]) expect(web(file)).toEqual([]);
});

test("what is internal to a folder is imported from that folder only", () => {
  const file = (path: string) => `packages/domain/src/${path}`;
  expect(whys("packages/domain", file("run/list-logs.ts"), "./internal/read-logs")).toEqual([]);
  expect(whys("packages/domain", file("run/internal/a.ts"), "./b")).toEqual([]);
  expect(whys("packages/domain", file("run/list-logs.ts"), "../internal/text")).toEqual([]);
  expect(whys("packages/domain", file("report/store.ts"), "../run/internal/read-logs")).toHaveLength(1);
  expect(whys("packages/domain", "packages/domain/test/a.test.ts", "../src/run/internal/read-logs")).toEqual(
    [],
  );
});

test("components take types from where schemas are, and no values", () => {
  const why = (text: string) => breachesIn("apps/web", "apps/web/src/components/run/a.tsx", text);
  expect(why(`import { type Run, FINAL_STATES } from "@rigmark/protocol";`)).toHaveLength(1);
  expect(why(`import {\n  ROLES,\n  type Role,\n} from "@rigmark/results";`)).toHaveLength(1);
  expect(why(`import type { Role } from "@rigmark/results";`)).toEqual([]);
  expect(why(`import { type Run, type Role } from "@rigmark/results";`)).toEqual([]);
  expect(why(`import { ROLES } from "@rigmark/results/choices";`)).toEqual([]);
});
