import { calibrationOf } from "@rigmark/messages";
import { wordsIn } from "@rigmark/messages/catalogue";
import type { HostCalibration } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { calibratedWith, calibrationInWords, noiseInWords, percent } from "../src/noise-words";

const CALIBRATION: HostCalibration = {
  measured_wall_us: 1_790_000_000_000_000,
  server: "epoll",
  scenario: "plaintext-loadgen",
  metric: "requests_per_s",
  blocks: 10,
  duration_s: 10,
  sd_log_ratio: 0.0231,
  smallest: [
    { blocks: 5, difference: 0.0412 },
    { blocks: 10, difference: 0.0226 },
  ],
  fingerprint: "5f".repeat(32),
};
const inReport = (of: HostCalibration | null) => calibrationOf(wordsIn("en"), of, percent);
const plain = (text: string | null) => text?.replaceAll("\u00a0", " ");

describe("what a host can show, in words", () => {
  it("is of as many blocks as the calibration had, else of the fewest", () => {
    expect(plain(calibrationInWords(CALIBRATION))).toBe(
      "With 10 blocks and trials of 10 s, this host can show differences of 2.3 % or more in four of five runs.",
    );
    expect(plain(calibrationInWords({ ...CALIBRATION, blocks: 9, duration_s: 0.5 }))).toBe(
      "With 5 blocks and trials of 0.5 s, this host can show differences of 4.1 % or more in four of five runs.",
    );
    expect(calibratedWith(CALIBRATION)).toBe("A/A test of epoll, plaintext-loadgen, requests per second");
  });

  it("has as many digits as it knows", () => {
    const of = (difference: number) =>
      plain(calibrationInWords({ ...CALIBRATION, smallest: [{ blocks: 10, difference }] }))?.split(
        "differences of ",
      )[1];
    expect([0.0004, 0.0092, 0.099, 0.105, 1.5].map(of)).toEqual([
      "0.04 % or more in four of five runs.",
      "0.9 % or more in four of five runs.",
      "9.9 % or more in four of five runs.",
      "11 % or more in four of five runs.",
      "150 % or more in four of five runs.",
    ]);
  });

  it("is nothing where nothing is known", () => {
    expect(noiseInWords(null)).toBeNull();
  });

  it("says in a report what it was measured with, and tells no calibration from one that shows nothing", () => {
    expect(plain(inReport(CALIBRATION))).toBe(
      "With 10 blocks and trials of 10 s, this host can show differences of 2.3 % or more in four of five runs (A/A test of epoll, plaintext-loadgen, requests per second).",
    );
    expect(inReport({ ...CALIBRATION, smallest: [] })).toBe(
      "This host is too noisy to show any difference (A/A test of epoll, plaintext-loadgen, requests per second).",
    );
    expect(inReport(null)).toBe("none for the host's state at the time of this run");
  });

  it("says that a score is unknown", () => {
    const noise = { measured_wall_us: 1, score: null, parts: [] };
    expect(noiseInWords(noise)).toContain("too little could be read");
    expect(noiseInWords({ ...noise, score: 71.54 })).toBe("71.5 of 100, where 100 is quiet");
  });
});
