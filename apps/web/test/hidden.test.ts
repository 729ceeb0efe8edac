import { describe, expect, it } from "vitest";
import { isBare, withoutEntries } from "@/components/chart/without-entries";
import { hiddenIn, withHidden } from "@/lib/hidden";
import { courseOf } from "@/lib/results/course";
import { latencyFigure } from "@/lib/results/latency-figure";
import { mainFigure } from "@/lib/results/main-figure";
import { timeFigure } from "@/lib/results/time-figure";
import { assignStyles } from "@/lib/series-style";
import { withCodes } from "./golden/refresh";
import golden from "./golden/result.json";
import { en } from "./words";

const NAMES = ["epoll", "nginx", "a, b", "c&d=é"];

describe("the entries that an address hides", () => {
  it("come back as they went in, beside what else is in it", () => {
    const query = withHidden("?lang=zh&scenario=x", ["nginx", "a, b", "c&d=é"]);
    expect(hiddenIn(query, NAMES)).toEqual(["nginx", "a, b", "c&d=é"]);
    expect(withHidden(query, ["epoll", "nginx"])).toBe("?lang=zh&scenario=x&hide=epoll,nginx");
    expect(withHidden("?hide=epoll&lang=zh", [])).toBe("?lang=zh");
    expect(withHidden("?hide=epoll", [])).toBe("");
  });

  it("are those of the page only, however the commas travel", () => {
    expect(hiddenIn(`?hide=${encodeURIComponent("epoll,nginx")}`, NAMES)).toEqual(["epoll", "nginx"]);
    expect(hiddenIn("?hide=nobody,%E0%A4%A,epoll", NAMES)).toEqual(["epoll"]);
    expect(hiddenIn("?show=epoll", NAMES)).toEqual([]);
  });

  it("are in no chart, and the rest stays", () => {
    const run = withCodes(golden);
    const styles = assignStyles(run.entries.map((e) => e.key));
    const [first, ...others] = run.entries.map((e) => e.key);
    const hidden = new Set([first ?? ""]);
    for (const { chart } of [
      mainFigure(en, run, "static-1k-ab", styles),
      latencyFigure(en, run, "static-1k-ab", styles),
      timeFigure(en, courseOf(en, run, "static-1k-ab"), styles, "cpu", null),
    ]) {
      const keysOf = (data: typeof chart) =>
        "rows" in data
          ? data.rows.map((row) => row.key)
          : "lines" in data
            ? data.lines.map((line) => ("entry" in line ? line.entry : line.key))
            : [];
      expect(keysOf(chart)).toContain(first);
      const left = withoutEntries(chart, hidden);
      expect(keysOf(left)).toEqual(keysOf(chart).filter((key) => key !== first));
      expect(withoutEntries(chart, new Set())).toBe(chart);
      expect(isBare(withoutEntries(chart, new Set([first ?? "", ...others])))).toBe(true);
    }
  });
});
