import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { heatOf } from "@/lib/results/heat";

const strengthOf = (ratio: number | null) => heatOf("faster", ratio)["data-strength"];

describe("the color of a ratio", () => {
  it("is the stronger, the larger the difference, for better and worse alike", () => {
    for (const [ratio, strength] of [
      [1.02, "faint"],
      [1.099, "faint"],
      [1.1, undefined],
      [1.499, undefined],
      [1.5, "strong"],
      [5, "strong"],
    ] as const)
      for (const each of [ratio, 1 / ratio])
        for (const verdict of ["faster", "slower"] as const)
          expect([each, heatOf(verdict, each)["data-strength"]]).toEqual([each, strength]);
    expect(strengthOf(0)).toBe("strong");
    expect(strengthOf(null)).toBe(undefined);
  });

  it("has no strength where no difference is shown", () => {
    expect(heatOf("no-difference", 5)).toEqual({ "data-heat": "even" });
    for (const verdict of ["not-comparable", null, undefined] as const)
      expect(heatOf(verdict, 5)).toEqual({ "data-heat": "none" });
  });
});

/** Of one theme: `--name: #rrggbb;` */
const tokensOf = (theme: string): Record<string, string> =>
  Object.fromEntries(
    [...theme.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g)].map(([, name = "", color = ""]) => [name, color]),
  );
const luminance = (color: string): number => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (a: string, b: string): number => {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
};

it.each(["light", "dark"])("text can be read on each color of a cell (%s)", (theme) => {
  const css = readFileSync(new URL("../src/app/tokens.css", import.meta.url), "utf8");
  const tokens = tokensOf(css.split(`[data-theme="${theme}"]`)[1]?.split("}")[0] ?? "");
  for (const tone of ["good", "bad"])
    for (const strength of ["-faint", "", "-strong"]) {
      const wash = tokens[`${tone}-wash${strength}`] ?? "";
      // The strong ones have no text in the palest ink.
      const texts = ["ink", "ink-2", "accent", ...(strength === "-strong" ? [] : ["ink-3"])];
      for (const text of texts)
        expect(contrast(tokens[text] ?? "", wash), `${text} on ${wash}`).toBeGreaterThanOrEqual(4.5);
    }
});
