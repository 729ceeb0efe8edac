import { describe, expect, it } from "vitest";
import { specOf } from "@/components/chart/spec";
import type { ChartTheme } from "@/components/chart/theme";
import { isInView, viewBetween, viewNear } from "@/components/chart/view";
import { styleAt } from "@/lib/series-style";
import { en } from "./words";

const whole = { from: -2, to: 10 };

describe("the view of a time axis", () => {
  it("is what was dragged across, to either side, and no more than there is", () => {
    expect(viewBetween(whole, 3, 5)).toEqual({ from: 3, to: 5 });
    expect(viewBetween(whole, 5.04, -9)).toEqual({ from: -2, to: 5 });
    expect(viewBetween(whole, -5, 20)).toBeNull();
    expect(viewBetween(whole, 3, 3.1)).toBeNull();
  });

  it("gets twice as near around a second, and at last shows all again", () => {
    expect(viewNear(whole, null, 0.5, 6)).toEqual({ from: 3, to: 9 });
    expect(viewNear(whole, null, 0.5, 10)).toEqual({ from: 4, to: 10 });
    expect(viewNear(whole, { from: 4, to: 7 }, 2, null)).toEqual({ from: 2.5, to: 8.5 });
    expect(viewNear(whole, { from: 4, to: 10 }, 2, null)).toBeNull();
  });

  it("is what the axis shows, and where the arrow keys stop", () => {
    const { build, stops } = specOf(en, {
      kind: "time",
      lines: [
        {
          key: "a",
          entry: "a",
          name: "a",
          style: styleAt(0),
          faint: false,
          points: [1, 2, 3].map((t_s) => ({ t_s, value: t_s })),
        },
      ],
      spans: [],
      unit: "per_s",
      axisTitle: "rate",
      from_s: 0,
      to_s: 4,
    });
    const theme = { fill: () => "#eee", edge: () => "#000", font: "x" } as unknown as ChartTheme;
    // A fill may be too pale for a line.
    expect(build(theme).data.datasets[0]).toMatchObject({ borderColor: "#000" });
    const view = { from: 1.5, to: 2.5 };
    expect(build(theme, view).options?.scales?.x).toMatchObject({ min: 1.5, max: 2.5 });
    expect(build(theme).options?.scales?.x).toMatchObject({ min: 0, max: 4 });
    expect(
      stops
        .flat()
        .filter((stop) => isInView(view, stop.t_s))
        .map((stop) => stop.t_s),
    ).toEqual([2]);
  });
});
