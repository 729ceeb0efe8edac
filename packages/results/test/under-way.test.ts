import { expect, it } from "vitest";
import { mostlyAnswered, underWay } from "../src/under-way";

const of = (load: Parameters<typeof underWay>[0]["load"], windows: number, in_flight?: number) =>
  underWay({ load, ...(in_flight === undefined ? {} : { in_flight }) }, windows);

it("an end of a closed loop cuts off one answer a connection, or as many as are in flight on it, in each window", () => {
  const closed = { kind: "closed", connections: 100, keep_alive: true } as const;
  expect(of(closed, 1)).toBe(100);
  expect(of(closed, 4)).toBe(400);
  expect(of(closed, 0, 16)).toBe(1600);
});

it("at a fixed rate and in shots nothing is cut off that is not counted by itself", () => {
  expect(of({ kind: "rate", rate_per_s: 2000, connections: 200, keep_alive: true }, 1)).toBeNull();
  expect(of({ kind: "count", requests: 5000, connections: 1000, keep_alive: true }, 1)).toBeNull();
});

it("a tenth may be cut off, and no more", () => {
  expect([mostlyAnswered(1000, null), mostlyAnswered(1000, 100), mostlyAnswered(1000, 101)]).toEqual([
    true,
    true,
    false,
  ]);
});
