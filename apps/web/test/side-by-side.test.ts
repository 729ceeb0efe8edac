import type { ReportRun, RunListItem } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { found, mostAlikeFirst } from "@/lib/alike";
import { sideBySide } from "@/lib/results/side-by-side";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en } from "./words";

const run = withCodes(golden) as ReportRun;
const other = (change: (copy: ReportRun) => void): ReportRun => {
  const copy = structuredClone(run);
  change(copy);
  return copy;
};

describe("runs beside each other", () => {
  it("have a table for each load that more than one of them was measured under", () => {
    const [first] = run.scenarios;
    const alone = other((copy) => {
      copy.scenarios = copy.scenarios.slice(0, 1);
    });
    const tables = sideBySide(en, [run, alone]);
    expect(tables.map((t) => t.title)).toEqual([first?.title]);
    for (const row of tables[0]?.rows ?? []) expect(row.cells[0]).toEqual(row.cells[1]);
  });

  it("do not share a table where the load is another one", () => {
    const changed = other((copy) => {
      for (const s of copy.scenarios) if (s.load.kind === "closed") s.load.connections += 1;
    });
    const same = sideBySide(en, [run, run]).map((t) => t.key);
    const left = sideBySide(en, [run, changed]).map((t) => t.key);
    expect(left.length).toBeLessThan(same.length);
  });

  it("say that an entry is not in a run, and keep the bound of a figure", () => {
    const fewer = other((copy) => {
      copy.entries = copy.entries.slice(0, 1);
    });
    const [table] = sideBySide(en, [fewer, run]);
    expect(table?.rows.some((r) => r.cells[0] === null && r.cells[1] !== null)).toBe(true);
    const bounded = table?.rows.find((r) => r.cells[1]?.figure.startsWith("≥"));
    expect(bounded?.cells[1]?.note).toContain("tool-bound");
    expect(table?.rows.some((r) => r.cells[1]?.note?.includes("not ranked"))).toBe(true);
  });
});

describe("the same entry in several runs", () => {
  /** As if the first entry had changed before the second run. */
  const changed = (change: Partial<ReportRun["entries"][number]>) =>
    other((copy) => {
      const key = copy.entries[0]?.key;
      copy.entries = copy.entries.map((e) => (e.key === key ? { ...e, ...change, key: "changed" } : e));
      for (const scenario of copy.summary?.scenarios ?? [])
        for (const e of scenario.entries) if (e.entry_key === key) e.entry_key = "changed";
    });
  const notesOf = (change: Partial<ReportRun["entries"][number]>) => {
    const [table] = sideBySide(en, [run, changed(change)]);
    const row = table?.rows.find((r) => r.entry.key === run.entries[0]?.key);
    expect(table?.rows).toHaveLength(run.entries.length);
    expect(row?.cells[0]?.figure).toBe(row?.cells[1]?.figure);
    return row?.cells[1]?.note;
  };

  it("is one line, also where its server, its build or its options are others, which is said", () => {
    expect(notesOf({ content_hash: "other" })).toContain("another build");
    expect(notesOf({ options: { workers: 8 } })).toContain("other options");
    expect(notesOf({ server: "another", content_hash: "other" })).toMatch(
      /^another server(?!, another build)/,
    );
  });

  it("is one line under another label, where the server and its options are the same", () => {
    expect(notesOf({ label: "head" })).toContain("as head");
  });
});

describe("runs to put beside one", () => {
  const item = (title: string, host: string, scenarios: string[], servers: string[]) =>
    ({
      title,
      host: { host_id: host, name: `host ${host}` },
      scenarios,
      entries: servers.map((server) => ({ label: `${server} x`, server })),
    }) as unknown as RunListItem;
  const to = { hostId: "a", scenarios: ["s1", "s2"], servers: ["epoll"] };
  const all = [
    item("nothing", "b", ["s9"], ["nginx"]),
    item("other host", "b", ["s1", "s2"], ["epoll"]),
    item("half the loads", "a", ["s1"], ["epoll"]),
    item("the same", "a", ["s1", "s2"], ["epoll"]),
    item("the same, older", "a", ["s1", "s2"], ["epoll"]),
  ];

  it("stand in the order of how alike they are, equals newest first", () => {
    expect(mostAlikeFirst(all, to).map((r) => r.title)).toEqual([
      "the same",
      "the same, older",
      "half the loads",
      "other host",
      "nothing",
    ]);
  });

  it("are found by words of title, host, server or scenario", () => {
    const titles = (search: string) => all.filter((r) => found(r, search)).map((r) => r.title);
    expect(titles("  ")).toHaveLength(all.length);
    expect(titles("NGINX host")).toEqual(["nothing"]);
    expect(titles("older s2")).toEqual(["the same, older"]);
    expect(titles("mars")).toEqual([]);
  });
});
