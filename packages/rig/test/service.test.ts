import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { startOf } from "../src/services/identity";
import { isAlive, launch, stop } from "../src/services/service";

test("a process is known by its number and the moment it started", () => {
  expect(startOf(process.pid)).toBe(startOf(process.pid));
  expect(startOf(process.pid)).not.toBe(startOf(process.ppid));
  expect(startOf(0)).toBeNull();
  expect(startOf(2 ** 22 + 1)).toBeNull();
});

test("a number that somebody else has now is left alone", async () => {
  const other = spawn("sleep", ["30"]);
  await once(other, "spawn");
  const record = { pid: other.pid ?? 0, started: "an earlier start", log: "/dev/null" };
  expect(isAlive(record)).toBe(false);
  expect(await stop(record)).toBe(false);
  expect(other.exitCode).toBeNull();
  other.kill();
});

test("what was launched is stopped, and so is what refuses to end", async () => {
  const polite = await launch("test-polite", "sleep", ["30"], { cwd: "/", env: {} });
  expect(await stop(polite)).toBe(true);
  expect(isAlive(polite)).toBe(false);
  const stubborn = await launch("test-stubborn", "sh", ["-c", "trap '' TERM; while :; do sleep 1; done"], {
    cwd: "/",
    env: {},
  });
  expect(await stop(stubborn, 300)).toBe(true);
  await expect.poll(() => isAlive(stubborn), { timeout: 30_000 }).toBe(false);
});
