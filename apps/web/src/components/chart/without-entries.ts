import type { ChartData } from "./chart-data";

/** The chart without hidden entries; itself where none of its entries is hidden. */
export function withoutEntries(data: ChartData, hidden: ReadonlySet<string>): ChartData {
  if (hidden.size === 0) return data;
  switch (data.kind) {
    case "bars":
      return { ...data, rows: data.rows.filter((row) => !hidden.has(row.key)) };
    case "intervals":
      return { ...data, rows: data.rows.filter((row) => !hidden.has(row.key)) };
    case "ridges":
      return { ...data, rows: data.rows.filter((row) => !hidden.has(row.key)) };
    case "percentiles":
      return { ...data, lines: data.lines.filter((line) => !hidden.has(line.key)) };
    case "time":
      return { ...data, lines: data.lines.filter((line) => !hidden.has(line.entry)) };
    case "heat":
    case "history":
      return data;
  }
}

/** Nothing is left to draw. */
export function isBare(data: ChartData): boolean {
  if (data.kind === "heat") return data.columns.length === 0;
  if (data.kind === "history") return data.points.length === 0;
  return "rows" in data ? data.rows.length === 0 : data.lines.length === 0;
}
