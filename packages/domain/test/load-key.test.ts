import { loadKey } from "@rigmark/results/load-key";
import { expect, it } from "vitest";
import { SCENARIO } from "../src/testing/index";

it("tells loads apart by what is sent, and not by their words or the length of a trial", () => {
  const key = loadKey(SCENARIO, "requests_per_s");
  expect(loadKey({ ...SCENARIO, title: "Another title", summary: "x" }, "requests_per_s")).toBe(key);
  expect(loadKey({ ...SCENARIO, path: "/other" }, "requests_per_s")).not.toBe(key);
  expect(loadKey(SCENARIO, "p99_us")).not.toBe(key);
  const own = (path: string) =>
    loadKey({ ...SCENARIO, workload: "http", http: { requests: [{ path }] } } as never, "requests_per_s");
  expect(own("/users/7")).not.toBe(own("/users/8"));
});
