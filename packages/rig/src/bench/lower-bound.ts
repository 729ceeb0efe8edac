/** One-sided 95 % quantile of Student's t, by degrees of freedom; beyond 120 the normal one. */
const T95: [number, number][] = [
  [10, 1.812],
  [20, 1.725],
  [30, 1.697],
  [40, 1.684],
  [60, 1.671],
  [120, 1.658],
];

/** Geometric mean of ratios and the bound that the true one is above with 95 % confidence. */
export function lowerBound(
  ratios: readonly number[],
): { ratio: number; lower: number; spread: number } | null {
  const logs = ratios.filter((r) => r > 0 && Number.isFinite(r)).map(Math.log);
  if (logs.length < 11) return null;
  const mean = logs.reduce((sum, x) => sum + x, 0) / logs.length;
  const variance = logs.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (logs.length - 1);
  // The next smaller entry of the table is the more cautious one.
  const t = T95.findLast(([df]) => df <= logs.length - 1)?.[1] ?? 1.812;
  return {
    ratio: Math.exp(mean),
    lower: Math.exp(mean - t * Math.sqrt(variance / logs.length)),
    spread: Math.sqrt(variance),
  };
}
