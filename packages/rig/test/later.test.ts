import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { isMeasuring } from "../src/measuring";

const dir = mkdtempSync(join(tmpdir(), "rigmark-later-"));
const lock = join(dir, "rigmark.lock");
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("somebody measures while the lock names a process that lives", async () => {
  expect(isMeasuring([lock])).toBe(false);
  writeFileSync(lock, "");
  expect(isMeasuring([lock])).toBe(false);
  writeFileSync(lock, `${process.pid}\nrigmark run\n`);
  expect(isMeasuring([join(dir, "none"), lock])).toBe(true);
  const ended = spawn("true");
  await once(ended, "exit");
  for (const stale of [`${ended.pid}\nrigmark run\n`, "1\n", "-1\n", "what?\n"]) {
    writeFileSync(lock, stale);
    expect(isMeasuring([lock]), stale).toBe(false);
  }
});
