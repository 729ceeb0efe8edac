import { Source } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { repositoryName, sourceLink, sourceName } from "../src/source";

const COMMIT = "8f0e6d2b4a1c3957be60d1f2a4c8e9b7d5f31a02";
const source = (repository: string, more: object = {}) =>
  Source.parse({ repository, commit: COMMIT, ...more });

describe("the source of a run", () => {
  it("is found by one name, however its repository is written", () => {
    for (const written of [
      "Ada/Server",
      "https://forge.example/Ada/Server",
      "https://forge.example:8443/ada/server.git",
      "ssh://git@forge.example/ada/server.git",
      "git@forge.example:ada/server.git",
    ])
      expect(repositoryName(source(written).repository), written).toBe("ada/server");
    expect(repositoryName("group/part/server")).toBe("group/part/server");
  });

  it("is named in short, and a dirty worktree shows", () => {
    expect(sourceName(source("https://forge.example/Ada/Server.git"))).toBe("Ada/Server@8f0e6d2");
    expect(sourceName(source("ada/server", { dirty: true }))).toBe("ada/server@8f0e6d2+");
  });

  it("is a link only where it is a plain web address", () => {
    expect(sourceLink(source("https://forge.example/ada/server"))).toBe("https://forge.example/ada/server");
    expect(sourceLink(source("ada/server"))).toBeNull();
    expect(sourceLink(source("git@forge.example:ada/server"))).toBeNull();
  });

  it.each([
    "javascript:alert(1)",
    "https://ada:secret@forge.example/ada/server",
    "https://forge.example/ada/server?x=1",
    "https://forge.example/ada/ser ver",
    "https://forge.example",
    "server",
    "../server",
    "/home/ada/server",
    "file:///home/ada/server",
    `ada/${"x".repeat(400)}`,
  ])("refuses %s", (repository) => {
    expect(Source.safeParse({ repository, commit: COMMIT }).success).toBe(false);
  });

  it("refuses what is no commit, no branch and no number", () => {
    const wrong = (more: object) => Source.safeParse({ repository: "ada/server", commit: COMMIT, ...more });
    for (const more of [
      { commit: "8f0e6d2" },
      { commit: COMMIT.toUpperCase() },
      { branch: "a b" },
      { branch: "a\nb" },
      { branch: "" },
      { pull_request: 0 },
      { pull_request: 1.5 },
      { base_commit: "main" },
      { url: "x" },
    ])
      expect(wrong(more).success, JSON.stringify(more)).toBe(false);
  });
});
