import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { atLeast, atMost, quantile } from "../src/bench/figure";
import { difference } from "../src/bench/fresh-root";
import { lowerBound } from "../src/bench/lower-bound";
import { numberOf } from "../src/bench/option";
import { keyOfRelease, withBrokenScripts } from "../src/bench/second-release";
import { soaked } from "../src/bench/soak";
import { signature, signingKey } from "../src/release/sign";

test("a quantile is a value that was measured", () => {
  expect(quantile([], 0.95)).toBeNull();
  expect(quantile([3], 0.95)).toBe(3);
  expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  expect(
    quantile(
      Array.from({ length: 20 }, (_, i) => i + 1),
      0.95,
    ),
  ).toBe(19);
});

test("what could not be measured neither holds nor fails", () => {
  expect(atMost("x", null, "s", 1).holds).toBeNull();
  expect(atMost("x", 1, "s", 1).holds).toBe(true);
  expect(atLeast("x", 0.9799, "", 0.98).holds).toBe(false);
});

test("the bound is below the mean, by what the spread and the number of pairs allow", () => {
  expect(lowerBound([1, 1])).toBeNull();
  expect(lowerBound(Array(48).fill(0.99))).toEqual({
    ratio: expect.closeTo(0.99),
    lower: expect.closeTo(0.99),
    spread: expect.closeTo(0),
  });
  const noisy = Array.from({ length: 49 }, (_, i) => Math.exp(i % 2 === 0 ? 0.1 : -0.1));
  const bound = lowerBound(noisy);
  // t(40) = 1.684 is the cautious one for 48 degrees; 0.1 / 7 = 0.0143.
  expect(bound?.lower).toBeCloseTo(Math.exp(0.1 / 49 - 1.684 * 0.01442), 3);
});

test("soak has the property tests of both languages, and only those of TypeScript that draw inputs", () => {
  const found = soaked();
  expect(found[0]?.argv).toContain("properties");
  const domain = found.find(({ folder }) => folder === "packages/domain");
  expect(domain).toMatchObject({ seed: "FAST_CHECK_SEED" });
  expect(domain?.argv).toEqual(expect.arrayContaining(["test/attempt-model.test.ts", "test/decode.test.ts"]));
  expect(domain?.argv).not.toContain("test/tune.test.ts");
});

test("the option of a bench is a number above 0", () => {
  const minutes = (argv: string[]) => numberOf("live-hour", "--minutes", 60, argv);
  expect(minutes([])).toBe(60);
  expect(minutes(["--minutes", "20"])).toBe(20);
  for (const wrong of [["--minutes"], ["--minutes", "0"], ["20"]])
    expect(() => minutes(wrong)).toThrow(/--minutes and a number/);
});

test("a removal is judged by what it left, took away and changed", () => {
  const tree = (files: Record<string, string>) => new Map(Object.entries(files));
  const before = tree({ "etc/passwd": "10 aa", "tmp/of-others": "1 bb", usr: "" });
  const after = tree({ "etc/passwd": "10 ab", usr: "", "run/left": "0 cc" });
  expect(difference(before, after)).toEqual({
    added: ["run/left"],
    removed: ["tmp/of-others"],
    changed: ["etc/passwd"],
  });
  // The lock may have been there before; left behind it counts.
  const lock = tree({ "dev/shm/rigmark.lock": "" });
  expect(difference(lock, tree({})).removed).toEqual([]);
  expect(difference(tree({}), lock).added).toEqual(["dev/shm/rigmark.lock"]);
});

test("the second release differs in the scripts of load tools, and in nothing else", () => {
  const file = (path: string) => ({ path, mode: 0o644 as const, data: Buffer.from("good") });
  const [script, other] = withBrokenScripts([file("a/tools/k6-http.js"), file("a/tools/wrk.lua")]);
  expect(script?.data.toString()).toContain("throw");
  expect(other?.data.toString()).toBe("good");
  expect(() => withBrokenScripts([file("a/tools/wrk.lua")])).toThrow(/has none of k6-http.js/);
});

test("the second release has the key of the first one, or says that it has not", () => {
  const at = mkdtempSync(join(tmpdir(), "rigmark-second-"));
  onTestFinished(() => rmSync(at, { recursive: true }));
  const sums = Buffer.from("abc  rigmark.tar.gz\n");
  writeFileSync(join(at, "SHA256SUMS"), sums);
  const key = signingKey(join(at, "key"));
  expect(keyOfRelease(at, () => key)).toBeNull();
  writeFileSync(join(at, "SHA256SUMS.minisig"), signature(sums, key, "rigmark 1.0.0"));
  expect(keyOfRelease(at, () => key)).toBe(key);
  for (const other of [null, signingKey(join(at, "other"))])
    expect(() => keyOfRelease(at, () => other)).toThrow(/set RIGMARK_RELEASE_KEY as for/);
});
