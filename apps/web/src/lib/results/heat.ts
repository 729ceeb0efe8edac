import type { Words } from "@rigmark/messages";
import type { ComparedCell } from "@rigmark/results";

/** How a cell of a heat map is colored; what it means stands in it as well. */
export interface Heat {
  "data-heat": "faster" | "slower" | "even" | "none";
  /** Without it the color is the middle one. */
  "data-strength"?: "faint" | "strong";
}

/** From these ratios on, or their inverses, the color is the middle one, and the strong one. */
export const [MIDDLE_FROM, STRONG_FROM] = [1.1, 1.5] as const;

/** By the verdict, and where a difference is shown by the size of the ratio; a cell without a verdict has no color. */
export function heatOf(verdict: ComparedCell["verdict"] | undefined, ratio: number | null = null): Heat {
  if (verdict === "no-difference") return { "data-heat": "even" };
  if (verdict !== "faster" && verdict !== "slower") return { "data-heat": "none" };
  const size = ratio === null ? MIDDLE_FROM : Math.max(ratio, 1 / ratio);
  if (size < MIDDLE_FROM) return { "data-heat": verdict, "data-strength": "faint" };
  return size < STRONG_FROM ? { "data-heat": verdict } : { "data-heat": verdict, "data-strength": "strong" };
}

export const heatInWords = (w: Words): string =>
  w.t("figure.heatTable", { middle: String(MIDDLE_FROM), strong: String(STRONG_FROM) });
