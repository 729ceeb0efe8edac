import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { wordsIn } from "@rigmark/messages/catalogue";
import { describe, expect, it } from "vitest";
import { BUNDLED_SERVERS, neededOf } from "../src/needed";

const entry = (label: string, server: string) => ({ label, server, options: {} });
const spec = { entries: [entry("a", "nginx")] };

it("the bundled servers are those of servers/", () => {
  const root = join(import.meta.dirname, "../../../servers");
  const found = readdirSync(root).filter((name) => existsSync(join(root, name, "server.toml")));
  expect(found.sort()).toEqual([...BUNDLED_SERVERS].sort());
});

describe("whoever repeats a run needs from its author", () => {
  it("nothing where all of it comes with Rigmark", () => {
    const scenarios = [{ id: "plaintext-ab", workload: "plaintext" as const }];
    expect(neededOf(wordsIn("en"), { spec, entries: [], scenarios })).toBeNull();
  });

  it("own loads with their scripts, each file once", () => {
    const http = { requests: [], script: { name: "load.js", text: "" } };
    const scenarios = ["users", "users:connections=9"].map((id) => ({ id, workload: "http" as const, http }));
    const told = { spec, entries: [], scenarios };
    expect(neededOf(wordsIn("en"), told)).toMatch(
      /author: users\.toml and load\.js \(for ~\/\.config\/rigmark\/scenarios\)\.$/,
    );
    expect(neededOf(wordsIn("zh"), told)).toContain("请向作者索取");
  });

  it("servers that are not bundled: by name, as a repository, and changes that are in no commit", () => {
    const own = { entries: [...spec.entries, entry("mine", "hello"), entry("head", "nginx.2")] };
    const commit = "8f0e6d2b4a1c3957be60d1f2a4c8e9b7d5f31a02";
    const entries = [{ label: "head", revision: { commit, dirty: true, folder: "server" } }];
    expect(neededOf(wordsIn("en"), { spec: own, entries, scenarios: [] })).toMatch(
      /author: hello \(for .*servers\); the repository of head; the changes to head that are in no commit\.$/,
    );
  });
});
