import type { ChartConfiguration } from "chart.js";
import { barsSpec } from "./bars";
import type { ChartData } from "./chart-data";
import { percentileSpec } from "./percentile-lines";
import type { ChartTheme } from "./theme";
import { timeSpec } from "./time-lines";

/** A place that the arrow keys stop at: left and right along a series, up and down between them. */
export interface ChartStop {
  dataset: number;
  index: number;
  text: string;
}
export interface ChartSpec {
  build: (theme: ChartTheme) => ChartConfiguration;
  stops: ChartStop[][];
}

export function specOf(data: ChartData): ChartSpec {
  switch (data.kind) {
    case "bars":
      return barsSpec(data);
    case "percentiles":
      return percentileSpec(data);
    case "time":
      return timeSpec(data);
  }
}
