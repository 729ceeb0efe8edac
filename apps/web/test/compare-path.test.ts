import { expect, it } from "vitest";
import { comparePath, compareState } from "../src/lib/compare-path";

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

it("the address holds the whole state of the page", () => {
  const state = { runIds: [id(1), id(2)], baseline: "nginx & co, “tuned” 🚀" };
  const path = comparePath("home", state);
  expect(path.startsWith(`/w/home/compare?runs=${id(1)},${id(2)}&baseline=`)).toBe(true);
  const query = Object.fromEntries(new URL(path, "http://x").searchParams);
  expect(compareState(query)).toEqual(state);
});

it("runs of reports stand in it after the others", () => {
  const state = { runIds: [id(1)], reports: [`${"a".repeat(22)}.1`, `${"B".repeat(22)}.8`] };
  const query = Object.fromEntries(new URL(comparePath("home", state), "http://x").searchParams);
  expect(compareState(query)).toEqual(state);
  expect(compareState({ runs: id(1), reports: "short.1" })).toBe(null);
  expect(compareState({ runs: id(1), reports: `${"a".repeat(22)}.9` })).toBe(null);
});

it("what no link of ours names is no state", () => {
  expect(compareState({})).toBe(null);
  expect(compareState({ runs: "" })).toBe(null);
  expect(compareState({ runs: "not-an-id" })).toBe(null);
  expect(compareState({ runs: [id(1), id(2)] })).toBe(null);
  const many = Array.from({ length: 21 }, (_, n) => id(n)).join(",");
  expect(compareState({ runs: many })).toBe(null);
});

it("a run that is named twice is there once, and an odd baseline is none", () => {
  expect(compareState({ runs: `${id(1)},${id(1)}`, baseline: "" })).toEqual({ runIds: [id(1)] });
  expect(compareState({ runs: id(1), baseline: "x".repeat(201) })).toEqual({ runIds: [id(1)] });
});
