import type { Words } from "@rigmark/messages";
import type { ChartConfiguration } from "chart.js";
import { barsSpec } from "./bars";
import type { ChartData } from "./chart-data";
import { heatSpec } from "./heat";
import { historySpec } from "./history-line";
import { intervalsSpec } from "./intervals";
import { percentileSpec } from "./percentile-lines";
import { ridgesSpec } from "./ridges";
import type { ChartTheme } from "./theme";
import { timeSpec } from "./time-lines";
import type { View } from "./view";

/** A place that the arrow keys stop at: left and right along a series, up and down between them. */
export interface ChartStop {
  dataset: number;
  index: number;
  text: string;
  /** On a time axis: where it is. */
  t_s?: number;
  /** Where it leads. */
  href?: string | undefined;
}
export interface ChartSpec {
  /** `view`: of a time axis, the part that is shown; null or nothing for all of it. */
  build: (theme: ChartTheme, view?: View | null) => ChartConfiguration;
  stops: ChartStop[][];
}

export function specOf(w: Words, data: ChartData): ChartSpec {
  switch (data.kind) {
    case "bars":
      return barsSpec(w, data);
    case "heat":
      return heatSpec(w, data);
    case "history":
      return historySpec(w, data);
    case "intervals":
      return intervalsSpec(w, data);
    case "percentiles":
      return percentileSpec(w, data);
    case "ridges":
      return ridgesSpec(w, data);
    case "time":
      return timeSpec(w, data);
  }
}
