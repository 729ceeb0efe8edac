import type { HostCalibration, HostNoise, JudgedBy } from "@rigmark/protocol";

/**
 * What is known of a host's noise, in words. A file of its own, without schemas: a public report's browser code needs it.
 */

const percent = (ratio: number): string => {
  const value = ratio * 100;
  const digits = value >= 10 ? 0 : value >= 0.095 ? 1 : 2;
  return `${value.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })}\u00a0%`;
};

const METRIC_WORDS: Readonly<Record<JudgedBy, string>> = {
  requests_per_s: "requests per second",
  p99_us: "p99 latency",
  cpu_us_per_request: "CPU time per request",
};

/** The least difference with the number of blocks that the calibration had; null where it is beyond all numbers. */
const own = ({ smallest, blocks }: HostCalibration) =>
  smallest.find((s) => s.blocks === blocks) ?? smallest[0] ?? null;

const TOO_NOISY = "This host is too noisy to show any difference.";

/** "With 10 blocks and trials of 10 s, this host can show differences of 2.3 % or more in four of five runs." */
export function calibrationInWords(calibration: HostCalibration): string {
  const least = own(calibration);
  if (!least) return TOO_NOISY;
  const seconds = calibration.duration_s.toLocaleString("en-US", { maximumFractionDigits: 1 });
  return `With ${least.blocks} blocks and trials of ${seconds}\u00a0s, this host can show differences of ${percent(least.difference)} or more in four of five runs.`;
}

/** What it was measured with: "A/A test of epoll, plaintext-loadgen, requests per second". */
export const calibratedWith = ({ server, scenario, metric }: HostCalibration): string =>
  `A/A test of ${server}, ${scenario}, ${METRIC_WORDS[metric]}`;

/** "71.5 of 100, where 100 is quiet". */
export function noiseInWords(noise: HostNoise | null): string | null {
  if (!noise) return null;
  if (noise.score === null) return "measured, but too little could be read for a score";
  return `${noise.score.toLocaleString("en-US", { maximumFractionDigits: 1 })} of 100, where 100 is quiet`;
}

export { percent };
