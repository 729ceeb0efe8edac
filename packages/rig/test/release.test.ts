import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readElf } from "../src/release/elf";
import { type TarFile, tarGz } from "../src/release/tar";

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "rigmark-tar-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

const deep = `${"a-long-folder/".repeat(9)}file.txt`;
const files: TarFile[] = [
  { path: "top/bin/program", mode: 0o755, data: Buffer.from("#!/bin/sh\n") },
  { path: `top/${deep}`, mode: 0o644, data: Buffer.alloc(513, 7) },
  { path: "top/empty", mode: 0o644, data: Buffer.alloc(0) },
];

test("the system's tar unpacks the same files with the same modes", () => {
  writeFileSync(join(dir, "a.tar.gz"), tarGz(files));
  execFileSync("tar", ["-xzf", "a.tar.gz"], { cwd: dir });
  for (const file of files) {
    expect(readFileSync(join(dir, file.path)).equals(file.data)).toBe(true);
    expect(statSync(join(dir, file.path)).mode & 0o777).toBe(file.mode);
  }
});

test("the same files give the same bytes, in whatever order they come", () => {
  expect(tarGz(files).equals(tarGz([...files].reverse()))).toBe(true);
});

test("a name that does not fit is refused", () => {
  expect(() => tarGz([{ path: "x".repeat(300), mode: 0o644, data: Buffer.alloc(0) }])).toThrow(/too long/);
});

test("an ELF file says what it runs on", () => {
  expect(readElf(Buffer.from("#!/bin/sh\n"))).toBeNull();
  if (process.platform === "linux") {
    const node = readElf(readFileSync(process.execPath));
    expect(node).toEqual({ machine: process.arch === "arm64" ? "aarch64" : "x86_64", isStatic: false });
  }
});
