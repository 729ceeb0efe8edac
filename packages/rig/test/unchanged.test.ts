import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { paths, root } from "../src/paths";
import { failed, type Outcome, passed } from "../src/suite";
import { forgetPassed, unlessUnchanged } from "../src/unchanged";

let scratch: string;
const usual = paths.stamps;
/** git knows nothing outside the repository; what is new in it counts. */
let reads: string;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), "rig-unchanged-"));
  paths.stamps = join(scratch, "stamps");
  reads = mkdtempSync(join(root, "packages/rig/test/unchanged-"));
  writeFileSync(join(reads, "one"), "1");
});
afterEach(() => {
  paths.stamps = usual;
  rmSync(scratch, { recursive: true });
  rmSync(reads, { recursive: true });
});

function counted(outcomes: Outcome[], made: string[] = []) {
  let runs = 0;
  const suite = unlessUnchanged(
    { name: "a suite", run: async () => outcomes[runs++] ?? passed },
    [reads.slice(root.length + 1)],
    made,
  );
  return { run: async () => (await suite.run()).status, runs: () => runs };
}

test("what has passed runs again when a file that it reads changes, comes or goes", async () => {
  const { run, runs } = counted([]);
  await run();
  await run();
  expect(runs()).toBe(1);
  writeFileSync(join(reads, "one"), "2");
  await run();
  expect(runs()).toBe(2);
  writeFileSync(join(reads, "two"), "");
  await run();
  expect(runs()).toBe(3);
  rmSync(join(reads, "one"));
  await run();
  await run();
  expect(runs()).toBe(4);
});

test("what has failed runs again", async () => {
  const { run, runs } = counted([failed("no"), passed]);
  expect(await run()).toBe("failed");
  expect(await run()).toBe("passed");
  await run();
  expect(runs()).toBe(2);
});

test("it runs again when what it made is gone, and when it is asked to", async () => {
  mkdirSync(join(scratch, "made"));
  const { run, runs } = counted([], [join(scratch, "made")]);
  await run();
  await run();
  expect(runs()).toBe(1);
  rmSync(join(scratch, "made"), { recursive: true });
  await run();
  expect(runs()).toBe(2);
  mkdirSync(join(scratch, "made"));
  forgetPassed();
  await run();
  expect(runs()).toBe(3);
});
