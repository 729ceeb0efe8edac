import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";

const dir = mkdtempSync(join(tmpdir(), "rigmark-prebuilt-test-"));
const bin = join(dir, "bin");
// A machine that has no programs but those that a test puts there.
vi.stubEnv("PATH", bin);
const { paths } = await import("../src/paths");
const { prebuild } = await import("../src/release/prebuilt");
const { targetOf } = await import("../src/release/targets");

Object.assign(paths, { home: dir, tools: join(dir, "tools"), log: join(dir, "log") });
afterAll(() => rmSync(dir, { recursive: true }));
beforeEach(() => {
  rmSync(bin, { recursive: true, force: true });
  mkdirSync(bin);
});

const here = (...names: string[]): void => {
  for (const name of names)
    writeFileSync(join(bin, name), "#!/bin/sh\necho broken >&2\nexit 1\n", { mode: 0o755 });
};

async function leftOut(server: string): Promise<string> {
  const said: string[] = [];
  const stderr = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    said.push(String(text));
    return true;
  });
  try {
    expect(await prebuild(targetOf("x86_64-unknown-linux-musl"), [server])).toEqual([]);
  } finally {
    stderr.mockRestore();
  }
  return said.join("");
}

test("without a JDK the Java servers are left out, and the release goes on", async () => {
  here("sh", "java");
  expect(await leftOut("netty")).toBe(
    "rig: netty for x86_64-unknown-linux-gnu is left out: javac is not installed: " +
      "Debian: apt install default-jdk-headless maven\n",
  );
});

test("a compiler that does not work costs its server alone", async () => {
  here("sh", "java", "javac", "mvn");
  expect(await leftOut("netty")).toContain("is left out: javac does not say its version: broken\n");
});

test("so does a library that cannot be built", async () => {
  here("cc", "make", "pkg-config");
  expect(await leftOut("io-uring")).toContain("is left out: cargo could not be started: ");
});
