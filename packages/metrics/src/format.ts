import type { Unit } from "./metric";

/** Written where a value is unknown. */
export const UNKNOWN = "–";
const UNIT_SPACE = "\u00a0";

/** Made once: a page writes thousands of numbers, and making a format takes a hundred times as long as using it. */
const DIGITS = [0, 1, 2, 3, 4, 5, 6].map(
  (digits) =>
    new Intl.NumberFormat("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits }),
);
const UP_TO_THREE = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3 });
const THREE = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3, minimumSignificantDigits: 3 });

const trim = (value: number, digits: 0 | 1 | 2 | 3 | 4 | 5 | 6): string =>
  DIGITS[digits]?.format(value) ?? "";

/** Three significant digits below 1000, whole numbers above; thousands are grouped. */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 99.95) return trim(value, 0);
  if (size >= 9.995) return trim(value, 1);
  if (size >= 0.9995) return trim(value, 2);
  return UP_TO_THREE.format(value);
}

/** What would be written as a whole `base` of a unit is one of the next. */
const scale = (value: number, base: number, steps: readonly string[]): string => {
  let rest = value;
  let step = 0;
  while (Math.abs(rest) >= base - 0.5 && step < steps.length - 1) {
    rest /= base;
    step += 1;
  }
  return `${step === 0 && Number.isInteger(rest) ? trim(rest, 0) : formatNumber(rest)}${UNIT_SPACE}${steps[step]}`;
};

const WRITERS: Record<Unit, (value: number) => string> = {
  per_s: (v) => `${formatNumber(v)}${UNIT_SPACE}req/s`,
  per_s_per_core: (v) => `${formatNumber(v)}${UNIT_SPACE}req/s/core`,
  per_s_per_mib: (v) => `${formatNumber(v)}${UNIT_SPACE}req/s/MiB`,
  us: (v) => scale(v, 1000, ["µs", "ms", "s"]),
  uj: (v) => scale(v, 1000, ["µJ", "mJ", "J"]),
  bytes: (v) => scale(v, 1024, ["B", "KiB", "MiB", "GiB", "TiB"]),
  bytes_per_s: (v) => scale(v, 1024, ["B/s", "KiB/s", "MiB/s", "GiB/s"]),
  cores: (v) => `${trim(v, 2)}${UNIT_SPACE}cores`,
  ratio: (v) => `${formatNumber(v * 100)}${UNIT_SPACE}%`,
  factor: (v) => formatFactor(v),
  number: (v) => formatNumber(v),
  count: (v) => trim(v, 0),
  celsius: (v) => `${trim(v, 1)}${UNIT_SPACE}°C`,
  hz: (v) => scale(v, 1000, ["Hz", "kHz", "MHz", "GHz"]),
  s: (v) => `${formatNumber(v)}${UNIT_SPACE}s`,
};

/** A number with its unit; an en dash for what is unknown. */
export function formatQuantity(value: number | null | undefined, unit: Unit): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return UNKNOWN;
  return WRITERS[unit](value);
}

/** At least, where the load tool cut off a rate; at most, where its own delay is in a latency. */
export type Bound = "≥" | "≤" | null;

/** What the load tool bounded, with the sign before it, unless it is unknown. */
export function formatBound(value: number | null | undefined, unit: Unit, bound: Bound): string {
  const text = formatQuantity(value, unit);
  return bound && text !== UNKNOWN ? `${bound} ${text}` : text;
}

/** A rate that was cut off by the tool is a lower bound. */
export const formatRate = (value: number | null | undefined, lowerBound: boolean): string =>
  formatBound(value, "per_s", lowerBound ? "≥" : null);

/** As many decimals as show that a ratio is not 1, so that no interval seems to touch 1 when it does not. */
function factor(value: number): string {
  const size = Math.abs(value);
  if (size >= 9.9995) return formatNumber(value);
  if (size > 0 && size < 0.01) return THREE.format(value);
  for (const digits of [3, 4, 5, 6] as const) {
    const text = trim(value, digits);
    if (!/^1\.0+$/.test(text)) return text;
  }
  return trim(value, 3);
}

/** A ratio to the baseline: `1.230×`, `0.9997×`. The agent's table writes it alike. */
export const formatFactor = (value: number | null | undefined): string =>
  value === null || value === undefined || !Number.isFinite(value) ? UNKNOWN : `${factor(value)}×`;

/** Beyond this factor between its ends an interval says that nothing is known yet, and its digits say no more. */
const WIDEST = 100;
const TOO_WIDE = "too wide";

/** `1.010× – 1.050×`, with the end left open that a bound leaves open; `write` may be another unit's. */
export function formatInterval(
  { low, high }: { low: number; high: number },
  bound: Bound,
  write: (value: number) => string = formatFactor,
): string {
  if (high > WIDEST * low) return TOO_WIDE;
  const [from, to] = [bound === "≤" ? "…" : write(low), bound === "≥" ? "…" : write(high)];
  return `${from} – ${to}`;
}

/** A duration for people: `42 s`, `3 min 20 s`, `1 h 5 min`. */
export function formatDuration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return UNKNOWN;
  const whole = Math.round(seconds);
  if (whole < 60)
    return `${seconds < 10 && !Number.isInteger(seconds) ? formatNumber(seconds) : whole}${UNIT_SPACE}s`;
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60), whole % 60];
  const parts =
    h > 0
      ? [`${h}${UNIT_SPACE}h`, m > 0 ? `${m}${UNIT_SPACE}min` : ""]
      : [`${m}${UNIT_SPACE}min`, s > 0 ? `${s}${UNIT_SPACE}s` : ""];
  return parts.filter(Boolean).join(" ");
}
