import { expect, test } from "vitest";
import { isLimited, longFiles, tooLong } from "../src/check/long-files";

test("no file of ours is too long", () => {
  expect(longFiles()).toEqual([]);
});

test("tests count, and what nobody writes by hand does not", () => {
  expect(isLimited("apps/agent/tests/cli/verify.rs")).toBe(true);
  expect(isLimited("servers/epoll/worker.c")).toBe(true);
  expect(isLimited("packages/protocol/generated/types.ts")).toBe(false);
  expect(isLimited("servers/axum/Cargo.lock")).toBe(false);
  expect(isLimited("deploy/install.sh")).toBe(false);
});

test("a file may have five hundred lines", () => {
  expect(tooLong("a.ts", "x\n".repeat(500))).toBeNull();
  expect(tooLong("a.ts", "x\n".repeat(501))).toBe(
    "a.ts has 501 lines, and at most 500 are allowed: split it",
  );
});
