import { expect, it, vi } from "vitest";
import { readPicked, storePicked, withPicked } from "@/lib/picked-runs";

it("ticked runs are kept by workspace, and what else may be stored there is ignored", () => {
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  const run = { run_id: "a", measured: true, ended: false };
  storePicked("ada", [run]);
  expect(readPicked("ada")).toEqual([run]);
  expect(readPicked("bob")).toEqual([]);
  const [key = ""] = stored.keys();
  for (const other of ["no JSON", "{}", "[null, 3, {}]"]) {
    stored.set(key, other);
    expect(readPicked("ada")).toEqual([]);
  }
  const many = Array.from({ length: 30 }, (_, place) => ({ ...run, run_id: `${place}` }));
  storePicked("ada", many);
  expect(readPicked("ada")).toHaveLength(20);
  storePicked("ada", []);
  expect(stored.size).toBe(0);
  vi.unstubAllGlobals();
});

it("what is ticked from elsewhere comes after the others, once, and never makes too many", () => {
  const run = (place: number) => ({ run_id: `${place}`, measured: true, ended: true });
  const idsOf = (before: number[], added: number[]) =>
    withPicked(before.map(run), added.map(run)).map(({ run_id }) => Number(run_id));
  expect(idsOf([], [3])).toEqual([3]);
  expect(idsOf([1, 2], [2, 3])).toEqual([1, 2, 3]);
  const full = Array.from({ length: 20 }, (_, place) => place);
  expect(idsOf(full, [20])).toEqual([...full.slice(0, 19), 20]);
});
