import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { tailOf } from "../src/exec";

const tailOfText = (text: string, lines: number): string => {
  const dir = mkdtempSync(join(tmpdir(), "rigmark-tail-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, "log"), text);
  return tailOf(join(dir, "log"), lines);
};

const VITEST = ` × ends without an error in the console 1574ms
 FAIL  test/journey.test.ts > ends without an error in the console
AssertionError: expected [ Array(1) ] to deeply equal []

- Expected
+ Received

- []
+ [
+   "/w/lab: Failed to load resource",
+ ]

 ❯ test/journey.test.ts:331:20
`;

it("tells what a failed assertion got instead", () => {
  expect(tailOfText(VITEST, 8)).toContain("/w/lab: Failed to load resource");
});

it("keeps the name of the test above a long difference", () => {
  const long = `${VITEST.split("+ [")[0]}${Array.from({ length: 30 }, (_, n) => `+   "${n}",`).join("\n")}\n`;
  expect(tailOfText(long, 8)).toContain("FAIL  test/journey.test.ts");
});

it("takes a list without an assertion for what it is", () => {
  expect(tailOfText("- one\n- two\nerror: no such file\n", 3)).toBe("error: no such file");
});
