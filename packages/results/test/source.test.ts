import { Source } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { commitLink, commitsBetween, pullLink, repositoryName, sourceLink, sourceName } from "../src/source";

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

describe("the pages of a forge", () => {
  const BASE = "2b1c0d9e8f7a6b5c4d3e2f1a0b9c8d7e6f5a4b3c";
  /** Without the schema: a report may be older than it. */
  const stored = (repository: string, more: Partial<Source> = {}): Source => ({
    ...{ repository, commit: COMMIT, branch: null, pull_request: 12, base_commit: null, dirty: false },
    ...more,
  });
  const links = (of: Source) => [commitLink(of), pullLink(of), commitsBetween({ ...of, commit: BASE }, of)];
  const NONE = [null, null, null];

  it.each([
    ["https://github.com/Ada/Server", "commit", "pull", "compare"],
    ["https://gitlab.com/group/part/server", "-/commit", "-/merge_requests", "-/compare"],
    ["https://codeberg.org/ada/server", "commit", "pulls", "compare"],
  ])("are known of %s", (page, commit, pull, compare) => {
    for (const written of [page, `${page}/`, `${page}.git`])
      expect(links(stored(written)), written).toEqual([
        `${page}/${commit}/${COMMIT}`,
        `${page}/${pull}/12`,
        `${page}/${compare}/${BASE}...${COMMIT}`,
      ]);
  });

  it.each([
    "ada/server",
    "git@github.com:ada/server",
    "ssh://git@github.com/ada/server",
    "http://github.com/ada/server",
    "https://github.com:8443/ada/server",
    "https://github.com/ada",
    "https://github.com/ada/server/tree",
    "https://gitlab.com/ada",
    // Nothing says which forge that is.
    "https://forge.example/ada/server",
    "https://gitlab.forge.example/ada/server",
    "https://github.com.forge.example/ada/server",
    "https://constructor/ada/server",
    "https://forge.example/github.com/ada/server",
    "https://ada:secret@github.com/ada/server",
    "https://forge.example@github.com/ada/server",
    "https://github.com@forge.example/ada/server",
    "https://github.com\\@forge.example/ada/server",
    "https://github.com//ada/server",
    "https://github.com/ada/server?x=1",
    "https://github.com/ada/server#x",
    "https://github.com/ada/ser ver",
    "https://github.com/ada/ser%2fver",
    'https://github.com/ada/server"onclick="alert(1)',
    "https://github.com/ada/server\n",
    "https://github.com/../server",
    "https://github.com/ada/..",
    "https://gitlab.com/ada/../../server",
    "https://gitlab.com/ada/-/server",
    "javascript:alert(1)//github.com/ada/server",
    "//github.com/ada/server",
    "",
  ])("are not known of %j", (repository) => {
    expect(links(stored(repository))).toEqual(NONE);
  });

  it("are at the repository's own host, whatever else is stored", () => {
    const odd = ["", "/", "//x.example", "@x.example/", "\\x.example", "../..", "?", "%2f", "\n", ".git"];
    const hosts = ["github.com", "GitLab.com", "codeberg.org", "forge.example"];
    for (const host of hosts)
      for (const a of odd)
        for (const b of odd) {
          const of = stored(`https://${host}${a}/ada/server${b}`, { commit: `${COMMIT}${a}` });
          for (const link of links(of))
            if (link !== null) expect(new URL(link).host, link).toBe(host.toLowerCase());
        }
  });

  it("need a commit of 7 to 64 hexadecimal digits", () => {
    const page = "https://github.com/ada/server";
    const other = stored(page);
    for (const commit of ["8f0e6d", "main", `${COMMIT}g`, "a".repeat(65), `${COMMIT}/..`, ""]) {
      const of = stored(page, { commit });
      expect([commitLink(of), commitsBetween(other, of), commitsBetween(of, other)]).toEqual(NONE);
    }
    for (const commit of ["8f0e6d2", "a".repeat(64)])
      expect(commitLink(stored(page, { commit }))).toBe(`${page}/commit/${commit}`);
  });

  it("need the number of a pull request", () => {
    for (const n of [null, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 1e21])
      expect(pullLink(stored("https://github.com/ada/server", { pull_request: n })), String(n)).toBeNull();
  });

  it("compare two commits of one repository", () => {
    const between = (a: string, b: string) => commitsBetween(stored(a, { commit: BASE }), stored(b));
    const page = "https://github.com/ada/server";
    expect(between("https://GitHub.com/Ada/Server.git", page)).toBe(`${page}/compare/${BASE}...${COMMIT}`);
    expect(between("https://github.com/ada/other", page)).toBeNull();
    expect(between("https://codeberg.org/ada/server", page)).toBeNull();
    // It may be of another forge.
    expect(between("ada/server", page)).toBeNull();
    expect(commitsBetween(stored(page), stored(page))).toBeNull();
  });
});
