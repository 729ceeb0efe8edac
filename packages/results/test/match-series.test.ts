import { expect, it } from "vitest";
import { changesBetween, matchSeries } from "../src/match-series";

const entry = (label: string, server = label, workers = 2) => ({
  ...{ key: `${label}-${server}-key`, label, server },
  options: { workers },
});
const names = (...runs: ReturnType<typeof entry>[][]) =>
  matchSeries(runs.map((entries) => ({ entries }))).map((s) => [s.name, ...s.keys.map((k) => k !== null)]);

it("entries of one label are one series, whatever their content", () => {
  const [a, b] = [entry("epoll"), { ...entry("epoll"), key: "changed" }];
  expect(matchSeries([{ entries: [a] }, { entries: [b] }])).toEqual([
    { name: "epoll", server: "epoll", keys: [a.key, "changed"] },
  ]);
});

it("entries of other labels are one series where each run has one of the server", () => {
  expect(names([entry("nginx"), entry("base", "epoll")], [entry("main", "epoll"), entry("nginx")])).toEqual([
    ["nginx", true, true],
    ["base", true, true],
  ]);
});

it("entries of other labels stay apart where their options differ", () => {
  expect(names([entry("base", "epoll")], [entry("main", "epoll", 8)])).toEqual([
    ["base", true, false],
    ["main", false, true],
  ]);
  expect(names([entry("base", "epoll")], [entry("wide", "epoll", 8), entry("main", "epoll")])).toEqual([
    ["base", true, true],
    ["wide", false, true],
  ]);
});

it("two entries of one server in a run stay apart", () => {
  expect(names([entry("base", "epoll"), entry("head", "epoll")], [entry("main", "epoll")])).toEqual([
    ["base", true, false],
    ["head", true, false],
    ["main", false, true],
  ]);
});

it("entries with nothing in common are series of their own", () => {
  expect(names([entry("a")], [entry("b")])).toEqual([
    ["a", true, false],
    ["b", false, true],
  ]);
});

it("entries of other labels stay apart where the server of each is in another folder", () => {
  const at = (label: string, folder: string) => ({ ...entry(label, "app"), revision: { folder } });
  expect(names([at("base", "apps/a")], [at("main", "apps/a")])).toEqual([["base", true, true]]);
  expect(names([at("base", "apps/a")], [at("main", "apps/b")])).toEqual([
    ["base", true, false],
    ["main", false, true],
  ]);
});

it("an entry has changed where its server, options, files or commit are others, and not where they are not known", () => {
  const was = {
    ...{ server: "app", content_hash: "a", options: {} },
    revision: { commit: "1", folder: "x" },
  };
  const changed = (now: object) => changesBetween(was, { ...was, ...now });
  expect(changed({})).toEqual([]);
  expect(changed({ options: { workers: 2 }, content_hash: "b" })).toEqual(["options", "build"]);
  expect(changed({ revision: { commit: "2", folder: "x" } })).toEqual(["commit"]);
  expect(changed({ revision: undefined })).toEqual([]);
  expect(changed({ content_hash: "b", revision: { commit: "2" } })).toEqual(["build"]);
  expect(changed({ server: "other", content_hash: "b" })).toEqual(["server"]);
  expect(changed({ content_hash: "b", revision: { commit: "2", folder: "y" } })).toEqual(["server"]);
});

it("the same label twice in a run makes two series", () => {
  expect(names([entry("a", "x"), entry("a", "y")], [entry("a", "x")])).toEqual([
    ["a", true, true],
    ["a", true, false],
  ]);
});
