import type { PlanEntry } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { changedIn, matchedNotes } from "../src/run/internal/matched-notes";

describe("a series that is not the same entry in each run", () => {
  const entry = (label: string, options: Record<string, number>) => ({
    ...{ key: `${label} ${JSON.stringify(options)}`, label, server: "epoll", title: "epoll" },
    ...{ content_hash: "", options, baseline: false },
  });
  const notesOf = (...entries: PlanEntry[]) =>
    matchedNotes(
      entries.map((each) => ({ entries: [each] })),
      [{ name: entries[0]?.label ?? "", server: "epoll", keys: entries.map(({ key }) => key) }],
    );

  it("is named with what differs, each value once", () => {
    const [two, eight] = [entry("epoll", { workers: 2, pin: 1 }), entry("epoll", { workers: 8, pin: 1 })];
    expect(notesOf(two, eight, two)).toEqual([
      "“epoll” ran with other options: workers=2 in runs 1 and 3, workers=8 in run 2.",
    ]);
    expect(notesOf(two, entry("epoll", {}))).toEqual([
      "“epoll” ran with other options: pin=1 and workers=2 in run 1, no pin and no workers in run 2.",
    ]);
    expect(notesOf(two, two)).toEqual([]);
  });

  it("is named with the files that it ran from: by commit, and by content where that does not tell them", () => {
    const built = (content_hash: string, revision?: PlanEntry["revision"]) => ({
      ...entry("epoll", {}),
      ...{ key: JSON.stringify([content_hash, revision]), content_hash, ...(revision && { revision }) },
    });
    const at = (digit: string, dirty = false) => ({ commit: digit.repeat(40), dirty });
    const [a, b] = ["a".repeat(64), "b".repeat(64)];
    expect(notesOf(built(a), built(b), built(a))).toEqual([
      "“epoll” ran from different files: content aaaaaaaaaaaa in runs 1 and 3, content bbbbbbbbbbbb in run 2.",
    ]);
    expect(notesOf(built(a, at("1")), built(b, at("2")))).toEqual([
      "“epoll” ran from different files: commit 111111111111 in run 1, commit 222222222222 in run 2.",
    ]);
    expect(notesOf(built(a, at("1")), built(b, at("1", true)))).toEqual([
      "“epoll” ran from different files: commit 111111111111 in run 1, commit 111111111111 with changes (content bbbbbbbbbbbb) in run 2.",
    ]);
    expect(notesOf(built(a, at("1")), built(b, at("1")))).toEqual([
      "“epoll” ran from different files: commit 111111111111 (content aaaaaaaaaaaa) in run 1, commit 111111111111 (content bbbbbbbbbbbb) in run 2.",
    ]);
    expect(notesOf(built(a, at("1")), built(a, at("2")), built(a))).toEqual([
      "“epoll” ran from the same files at different commits: commit 111111111111 in run 1, commit 222222222222 in run 2.",
    ]);
    expect(notesOf(built(a, at("1")), built(a))).toEqual([]);
  });

  it("is named where one label is of several servers, whose files are others in any case", () => {
    const of = (server: string, folder?: string) => ({
      ...{ ...entry("web", {}), key: `${server} ${folder}`, server, content_hash: `files of ${server}` },
      ...(folder && { revision: { commit: "1".repeat(40), dirty: false, folder } }),
    });
    expect(notesOf(of("nginx"), of("caddy"), of("nginx"))).toEqual([
      "“web” ran as different servers: nginx in runs 1 and 3, caddy in run 2.",
    ]);
    expect(notesOf(of("app", "apps/a"), of("app", "apps/b"))).toEqual([
      "“web” ran as different servers: app (apps/a) in run 1, app (apps/b) in run 2.",
    ]);
    const rebuilt = { ...of("caddy"), key: "rebuilt", content_hash: "rebuilt" };
    expect(notesOf(of("nginx"), of("caddy"), rebuilt)).toEqual([
      "“web” ran as different servers: nginx in run 1, caddy in runs 2 and 3.",
      "“web” ran from different files: content files of ngi in run 1, content files of cad in run 2, content rebuilt in run 3.",
    ]);
  });

  it("has in each run what is not as in the first that has it", () => {
    const [old, now] = [entry("epoll", { workers: 2 }), entry("epoll", { workers: 8 })];
    const rebuilt = { ...now, key: "rebuilt", content_hash: "other" };
    const entries = [[], [old], [now], [rebuilt]];
    const keys = entries.map(([one]) => one?.key ?? null);
    const changed = changedIn(
      entries.map((each) => ({ entries: each })),
      { name: "epoll", server: "epoll", keys },
    );
    expect(changed).toEqual([[], [], ["options"], ["options", "build"]]);
  });

  it("is named where another label is shown for it", () => {
    const [base, main, trunk] = [entry("base", {}), entry("main", {}), entry("trunk", {})];
    expect(notesOf(base, main)).toEqual([
      "“main” in run 2 is shown as “base”: the server's name and the options are the same.",
    ]);
    expect(notesOf(base, main, trunk, main)).toEqual([
      "“main” in runs 2 and 4 and “trunk” in run 3 are shown as “base”: the server's name and the options are the same.",
    ]);
  });

  it("has a sentence of bounded length, and there are not many", () => {
    const runs = Array.from({ length: 20 }, (_, run) => ({
      entries: Array.from({ length: 40 }, (_, place) => entry(`entry ${place}`, { workers: run })),
    }));
    const series = Array.from({ length: 40 }, (_, place) => ({
      ...{ name: `entry ${place}`, server: "epoll" },
      keys: runs.map(({ entries }) => entries[place]?.key ?? null),
    }));
    const notes = matchedNotes(runs, series);
    expect(notes).toHaveLength(9);
    expect(notes[0]).toMatch(/workers=7 in run 8, 12 more\.$/);
    expect(notes[8]).toBe("32 more entries ran with other options.");
  });
});
