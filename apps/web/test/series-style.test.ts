import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assignStyles, styleAt, stylesInRuns } from "@/lib/series-style";

describe("colors of entries", () => {
  it("follow the order of the plan and stay with the key", () => {
    const once = assignStyles(["a", "b", "c"]);
    const again = assignStyles(["a", "b", "c", "d"]);
    for (const key of ["a", "b", "c"]) expect(again.get(key)).toEqual(once.get(key));
    expect(once.get("a")?.hue).toBe(1);
  });

  it("are the same on pages, in pictures and in the agent's reports", () => {
    const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
    const tokens = (path: string) =>
      [...read(path).matchAll(/--series-\d: (#[0-9a-f]{6});/g)].map(([, color]) => color);
    const pages = tokens("web/src/app/tokens.css").slice(0, 8);
    expect(new Set(pages).size).toBe(8);
    expect(tokens("agent/src/cli/report/html/tokens.css").slice(0, 8)).toEqual(pages);
    const picture = read("web/src/components/report/report-picture.tsx");
    expect(/const SERIES = (\[.*\])/.exec(picture)?.[1]).toBe(`[${pages.map((c) => `"${c}"`).join(", ")}]`);
  });

  it("are shared by runs that have an entry in common, also one whose build changed", () => {
    const entry = (key: string, label: string) => ({ key, label, server: label, options: {} });
    const styles = stylesInRuns([
      { entries: [entry("a", "nginx"), entry("b", "epoll")] },
      { entries: [entry("b2", "epoll"), entry("c", "axum"), entry("a", "nginx")] },
    ]);
    expect([...styles.keys()].sort()).toEqual(["a", "b", "b2", "c"]);
    expect(styles.get("b2")).toEqual(styles.get("b"));
    expect(styles.get("c")).toEqual(styleAt(2));
  });

  it("tell sixteen entries apart without color alone", () => {
    const all = Array.from({ length: 16 }, (_, i) => styleAt(i));
    expect(new Set(all.map((s) => `${s.hue}${s.shape}`)).size).toBe(16);
    expect(new Set(all.slice(0, 8).map((s) => s.shape)).size).toBe(8);
    expect(new Set(all.slice(0, 8).map((s) => s.dash.join())).size).toBe(8);
  });
});
