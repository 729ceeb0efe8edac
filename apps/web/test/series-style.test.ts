import { describe, expect, it } from "vitest";
import { assignStyles, styleAt } from "@/lib/series-style";

describe("colors of entries", () => {
  it("follow the order of the plan and stay with the key", () => {
    const once = assignStyles(["a", "b", "c"]);
    const again = assignStyles(["a", "b", "c", "d"]);
    for (const key of ["a", "b", "c"]) expect(again.get(key)).toEqual(once.get(key));
    expect(once.get("a")?.hue).toBe(1);
  });

  it("are shared by runs that have an entry in common", () => {
    const styles = assignStyles(["a", "b", "b", "c", "a"]);
    expect([...styles.keys()]).toEqual(["a", "b", "c"]);
  });

  it("tell sixteen entries apart without color alone", () => {
    const all = Array.from({ length: 16 }, (_, i) => styleAt(i));
    expect(new Set(all.map((s) => `${s.hue}${s.shape}`)).size).toBe(16);
    expect(new Set(all.slice(0, 8).map((s) => s.shape)).size).toBe(8);
    expect(new Set(all.slice(0, 8).map((s) => s.dash.join())).size).toBe(8);
  });
});
