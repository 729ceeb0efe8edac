import type { Bound, Unit } from "@rigmark/metrics";
import type { SeriesStyle } from "@/lib/series-style";

/** What a chart draws, as plain data: made on the server or in the page, turned into a picture by the lazy part. */
export type ChartData =
  | BarsData
  | HeatData
  | HistoryData
  | IntervalsData
  | PercentilesData
  | RidgesData
  | TimeData;

interface BarPoint {
  value: number;
  /** Such as "block 3". */
  name: string;
  text: string;
  /** Why it is in no figure, such as "invalid"; null where it is. */
  doubt: string | null;
}
export interface BarRow {
  key: string;
  name: string;
  style: SeriesStyle;
  /** Length of the bar: the median of the valid trials. */
  value: number | null;
  figure: string;
  /** Shown to be faster than every rival; at most one row is. */
  winner: boolean;
  /** Why there is no bar. */
  reason: string | null;
  /** The same where there is little room; null where there is nothing shorter. */
  reasonShort: string | null;
  /** The tool was the bottleneck: the bar's end stays open, upwards (≥) or downwards (≤). */
  bound: Bound;
  /** A few words before the figure. */
  note: string | null;
  points: BarPoint[];
}
export interface BarsData {
  kind: "bars";
  rows: BarRow[];
  unit: Unit;
  axisTitle: string;
}

export interface IntervalRow {
  key: string;
  name: string;
  style: SeriesStyle;
  ratio: { estimate: number; low: number; high: number } | null;
  /** The tool was the bottleneck: the interval stays open, upwards (≥) or downwards (≤). */
  bound: Bound;
  /** The ratio as it is written. */
  figure: string;
  /** The verdict, in a word or two; before the figure. */
  note: string | null;
  /** Why there is no ratio. */
  reason: string;
  /** All of it, for those who do not see the picture. */
  text: string;
}
/** Ratios with their intervals, on a scale where half and double are as far from 1. */
export interface IntervalsData {
  kind: "intervals";
  rows: IntervalRow[];
  axisTitle: string;
}

interface PercentilePoint {
  p: number;
  us: number;
  /** Of a curve, between the percentiles that the axis names: the line goes through it without a marker. */
  minor: boolean;
  /** Drawn hollow where it describes the load as much as the server. */
  rankable: boolean;
  text: string;
}
export interface PercentileLine {
  key: string;
  name: string;
  style: SeriesStyle;
  points: PercentilePoint[];
}
export interface PercentilesData {
  kind: "percentiles";
  lines: PercentileLine[];
}

export interface RidgeRow {
  key: string;
  name: string;
  style: SeriesStyle;
  /** Rising in `us`; empty where there is no histogram. */
  shape: { us: number; height: number }[];
  /** Of all trials together. */
  median: number | null;
  figure: string;
  /** Why there is no shape. */
  reason: string | null;
  /** The shape, for those who do not see it. */
  text: string;
  /** Medians of single trials. */
  trials: BarPoint[];
}
/** Where latencies lie, one shape an entry. */
export interface RidgesData {
  kind: "ridges";
  rows: RidgeRow[];
}

export interface HeatColumn {
  /** On the axis: trials stand beside each other. */
  from: number;
  to: number;
  /** Of the column's responses in each band, 0 to 1. */
  shares: number[];
  text: string;
}
/** Latencies over time: the stronger a cell, the more of the column's responses lie in its band. */
export interface HeatData {
  kind: "heat";
  style: SeriesStyle;
  /** Where each band begins, rising, and where the last one ends. */
  edges_us: number[];
  columns: HeatColumn[];
  /** Trials along the axis, with their names. */
  spans: { from: number; to: number; label: string }[];
  axisTitle: string;
}

export interface TimeLine {
  key: string;
  /** Key of the entry: it has a line for each of its trials. */
  entry: string;
  /** Lines with one name share a label at their end. */
  name: string;
  style: SeriesStyle;
  /** Overrides the entry's dash: a tool's line beside its server's. */
  dash?: number[];
  /** Lines of invalid trials are thin. */
  faint: boolean;
  points: { t_s: number; value: number | null }[];
}
export interface TimeSpan {
  from_s: number;
  to_s: number;
  label: string;
  bad: boolean;
}
export interface TimeData {
  kind: "time";
  lines: TimeLine[];
  spans: TimeSpan[];
  unit: Unit;
  axisTitle: string;
  /** Fixed from the plan, so that a growing line does not move the axis. */
  from_s: number;
  to_s: number;
}

export interface HistoryDot {
  value: number | null;
  low: number | null;
  high: number | null;
  /** When it was measured, as the axis names it. */
  when: string;
  /** Something changed at this run, such as the environment: a line through the chart. */
  mark: boolean;
  text: string;
  /** Where the run is. */
  href?: string | undefined;
}
/** One value a run, oldest first and evenly spaced, with the median of each stretch between two changes. */
export interface HistoryData {
  kind: "history";
  style: SeriesStyle;
  points: HistoryDot[];
  /** From the first to the last place of a stretch. */
  levels: { from: number; to: number; value: number; label: string }[];
  /** Null for ratios. */
  unit: Unit | null;
  axisTitle: string;
}

const [BAR_ROW, RIDGE_ROW] = [52, 76];

/** Known before anything is loaded, so that nothing moves when it is. */
export function chartHeight(data: ChartData): number {
  if (data.kind === "bars" || data.kind === "intervals") return data.rows.length * BAR_ROW + 44;
  if (data.kind === "ridges") return data.rows.length * RIDGE_ROW + 44;
  return data.kind === "percentiles" || data.kind === "history" ? 280 : 240;
}
