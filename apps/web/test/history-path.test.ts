import { expect, it } from "vitest";
import { historyPath, historyState } from "@/lib/history-path";

const HOST = "01a2159b-c6f8-7ee2-957a-66465b221200";
const SERIES = { hostId: HOST, scenario: "plaintext-ab", label: "épée & co" };

it.each([undefined, null, "nginx"])("a history's address says all of it (relative to %s)", (relativeTo) => {
  const url = new URL(historyPath("team", { ...SERIES, relativeTo }), "http://rigmark.test");
  expect(historyState(Object.fromEntries(url.searchParams))).toEqual({ ...SERIES, relativeTo });
});

it("what no link of ours has is no series", () => {
  const right = { host: HOST, scenario: "plaintext-ab", entry: "epoll" };
  expect(historyState(right)).not.toBe(null);
  for (const wrong of [{ host: "x" }, { scenario: "" }, { entry: "x".repeat(201) }, { entry: ["a", "b"] }])
    expect(historyState({ ...right, ...wrong })).toBe(null);
});
