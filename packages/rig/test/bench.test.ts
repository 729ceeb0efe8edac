import { expect, test } from "vitest";
import { atLeast, atMost, quantile } from "../src/bench/figure";
import { difference } from "../src/bench/fresh-root";
import { lowerBound } from "../src/bench/lower-bound";
import { withBrokenScripts } from "../src/bench/second-release";
import { secondsOf, soaked } from "../src/bench/soak";

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
  expect(secondsOf([])).toBe(300);
  expect(secondsOf(["--seconds", "20"])).toBe(20);
  for (const wrong of [["--seconds"], ["--seconds", "0"], ["20"]])
    expect(() => secondsOf(wrong)).toThrow(/--seconds and a number/);
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
