import { describe, expect, it } from "vitest";
import { minuteOf, nextDue, timesInWords } from "../src/schedule";

const EVERY_DAY = [1, 2, 3, 4, 5, 6, 7];
// A Thursday.
const at = (clock: string) => new Date(`2026-11-26T${clock}Z`);

describe("a schedule", () => {
  it("is due today if its time is still to come, and tomorrow at that very moment", () => {
    const times = { minute: 125, days: EVERY_DAY };
    expect(nextDue(times, at("02:04:59.999"))).toEqual(at("02:05:00"));
    expect(nextDue(times, at("02:05:00"))).toEqual(new Date("2026-11-27T02:05:00Z"));
  });

  it("is due on its days only, over the end of a month and a year", () => {
    expect(nextDue({ minute: 0, days: [4] }, at("00:00:00"))).toEqual(new Date("2026-12-03T00:00:00Z"));
    expect(nextDue({ minute: 0, days: [7] }, new Date("2026-12-31T23:00:00Z"))).toEqual(
      new Date("2027-01-03T00:00:00Z"),
    );
    expect(nextDue({ minute: 0, days: [] }, at("00:00:00"))).toBe(null);
  });

  it("says its times in words, and reads a time of day", () => {
    expect(timesInWords({ minute: 125, days: EVERY_DAY })).toBe("every day at 02:05 UTC");
    expect(timesInWords({ minute: 1439, days: [5, 1] })).toBe("Monday, Friday at 23:59 UTC");
    expect(["02:05", "23:59", "24:00", "2:05", ""].map(minuteOf)).toEqual([125, 1439, null, null, null]);
  });
});
