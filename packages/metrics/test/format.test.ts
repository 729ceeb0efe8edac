import { describe, expect, it } from "vitest";
import {
  formatBound,
  formatDuration,
  formatFactor,
  formatInterval,
  formatNumber,
  formatQuantity,
  formatRate,
  METRICS,
  UNKNOWN,
} from "../src/index";

const plain = (text: string): string => text.replaceAll("\u00a0", " ");

describe("numbers", () => {
  it.each([
    [0, "0"],
    [0.00123456, "0.00123"],
    [1, "1.00"],
    [9.994, "9.99"],
    [9.996, "10.0"],
    [99.94, "99.9"],
    [99.96, "100"],
    [14279.6, "14,280"],
    [-12.34, "-12.3"],
  ])("%s is written %s", (value, text) => expect(formatNumber(value)).toBe(text));

  it("are an en dash where they are unknown, never 0 and never NaN", () => {
    for (const value of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(formatNumber(value)).toBe(UNKNOWN);
      expect(formatQuantity(value, "us")).toBe(UNKNOWN);
      expect(formatRate(value, true)).not.toContain("NaN");
      expect(formatFactor(value)).toBe(UNKNOWN);
      expect(formatDuration(value)).toBe(UNKNOWN);
    }
  });

  it.each([
    [formatQuantity(63, "us"), "63 µs"],
    [formatQuantity(1500, "us"), "1.50 ms"],
    [formatQuantity(71_000, "per_s_per_core"), "71,000 req/s/core"],
    [formatQuantity(999.4, "us"), "999 µs"],
    [formatQuantity(999.5, "us"), "1.00 ms"],
    [formatQuantity(999_700, "us"), "1.00 s"],
    [formatQuantity(999_999_700, "hz"), "1.00 GHz"],
    [formatQuantity(1023, "bytes"), "1,023 B"],
    [formatQuantity(1023.4 * 1024, "bytes"), "1,023 KiB"],
    [formatQuantity(1023.9 * 1024, "bytes"), "1.00 MiB"],
    [formatQuantity(1200, "uj"), "1.20 mJ"],
    [formatQuantity(0.97, "factor"), "0.970×"],
    [formatBound(310, "per_s_per_mib", "≥"), "≥ 310 req/s/MiB"],
    [formatBound(null, "per_s_per_mib", "≥"), UNKNOWN],
    [formatBound(1500, "us", "≤"), "≤ 1.50 ms"],
    [formatQuantity(2_312_940, "us"), "2.31 s"],
    [formatQuantity(4_013_957_120, "bytes"), "3.74 GiB"],
    [formatQuantity(13, "bytes"), "13 B"],
    [formatQuantity(0.0013, "ratio"), "0.13 %"],
    [formatQuantity(0.9, "cores"), "0.90 cores"],
    [formatRate(14280, false), "14,280 req/s"],
    [formatRate(14280, true), "≥ 14,280 req/s"],
    [formatFactor(1.4), "1.400×"],
    [formatDuration(42), "42 s"],
    [formatDuration(200), "3 min 20 s"],
    [formatDuration(3900), "1 h 5 min"],
  ])("%s carries its unit", (text, wanted) => expect(plain(text)).toBe(wanted));
});

describe("the interval of a ratio", () => {
  it("has three significant digits where three decimals would be fewer or more", () => {
    expect([0.0003, 0.00123, 0.01, 0.5, 9.9994, 9.9996, 12.34, 4200].map((v) => formatFactor(v))).toEqual([
      "0.000300×",
      "0.00123×",
      "0.010×",
      "0.500×",
      "9.999×",
      "10.0×",
      "12.3×",
      "4,200×",
    ]);
  });

  it("does not touch 1 when it leaves it out", () => {
    expect([1, 1.0004, 0.9996, 1.00003, 0.999_999, 1.000_000_1].map((v) => formatFactor(v))).toEqual([
      "1.000×",
      "1.0004×",
      "0.9996×",
      "1.00003×",
      "0.999999×",
      "1.000×",
    ]);
    expect(formatInterval({ low: 0.991, high: 0.9997 }, null)).toBe("0.991× – 0.9997×");
  });

  it("is too wide where its ends are a factor of more than 100 apart", () => {
    expect(formatInterval({ low: 0.0003, high: 4200 }, null)).toBe("too wide");
    expect(formatInterval({ low: 0.01, high: 1 }, null)).toBe("0.010× – 1.000×");
  });

  it("has an open end where the ratio is a bound", () => {
    const ends = { low: 1.01, high: 1.05 };
    expect(formatInterval(ends, null)).toBe("1.010× – 1.050×");
    expect(formatInterval(ends, "≥")).toBe("1.010× – …");
    expect(formatInterval(ends, "≤")).toBe("… – 1.050×");
  });
});

describe("the catalogue", () => {
  it("names each metric by its key, and says what it means", () => {
    for (const [key, metric] of Object.entries(METRICS)) {
      expect(metric.id).toBe(key);
      expect(metric.meaning).toMatch(/\.$/);
    }
  });
});
