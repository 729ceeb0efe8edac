import { rankedMetric, verdictOf, type Words } from "@rigmark/messages";
import type { HistoryPoint, HistoryView } from "@rigmark/results";
import { rankingOf } from "@rigmark/results/ranking";
import { sourceName } from "@rigmark/results/source";
import type { Cell, Row } from "@/components/chart/table-model";
import { once } from "../once";
import { styleAt } from "../series-style";
import { plainLine } from "../text";
import type { Figure } from "./main-figure";

const NO_VALUE = "no valid value";

/** What is followed, without its runs. */
export type Followed = Pick<HistoryView, "series" | "changes" | "metric" | "load" | "relative_to">;
/** A run of it; `commit` is as people call it, empty where unknown. */
export type FollowedRun = Omit<HistoryPoint, "source"> & { commit: string };

export const followedRun = ({ source, ...point }: HistoryPoint): FollowedRun => ({
  ...point,
  commit: source ? plainLine(sourceName(source)) : "",
});

/**
 * One series over its runs: the value of each with its interval, and the median of each stretch between two changes.
 * `hrefOf`: where a run's results are; `compareOf`: where two of them are compared.
 */
export function historyFigure(
  w: Words,
  followed: Followed,
  points: readonly FollowedRun[],
  hrefOf: (runId: string) => string,
  compareOf: (before: string, runId: string) => string,
): Figure {
  const { series, changes, metric, load, relative_to } = followed;
  const ranking = rankingOf(metric);
  const of = rankedMetric(w, metric, load.kind);
  const relative = relative_to === null ? null : plainLine(relative_to);
  const valueTitle = relative === null ? of.title : `${of.title}, ratio to ${relative}`;
  const value = (v: number | null): string =>
    v === null ? "–" : relative === null ? w.quantity(v, ranking.unit) : w.bound(v, "factor", null);
  const between = ({ low, high }: FollowedRun): string =>
    low === null || high === null ? "–" : `${value(low)} to ${value(high)}`;
  const changeAt = new Map(changes.map((change) => [change.at, change]));
  const notes = (place: number, point: FollowedRun): string => {
    const change = changeAt.get(place);
    return [
      change && verdictOf(w, change.verdict, metric),
      point.entry_changed && "new build or options",
      point.relative_changed && `new build or options of ${relative}`,
      point.environment_changed && "environment changed",
    ]
      .filter(Boolean)
      .join(", ");
  };
  const title = `${plainLine(series.label)}: ${w.title(plainLine(series.title))}`;
  const ends = [0, ...changes.map((change) => change.at), points.length];
  const medians = [changes[0]?.before, ...changes.map((change) => change.after)];
  const textOf = (point: FollowedRun, place: number): string =>
    [
      `${minuteOf(point)} UTC, ${plainLine(point.title)}`,
      `${value(point.value)}${point.low === null ? "" : ` (${between(point)})`}`,
      point.commit,
      notes(place, point),
    ]
      .filter(Boolean)
      .join(", ");
  const comparedWithBefore = (point: FollowedRun, place: number): Cell => {
    const before = points[place - 1];
    return before ? { text: "Compare", href: compareOf(before.run_id, point.run_id) } : { text: "–" };
  };
  const rowOf = (point: FollowedRun, place: number): Row => ({
    key: point.run_id,
    cells: [
      { text: plainLine(point.title) || point.run_id.slice(0, 8), href: hrefOf(point.run_id) },
      { text: minuteOf(point) },
      { text: point.value === null ? NO_VALUE : value(point.value) },
      { text: between(point) },
      { text: point.commit || "–" },
      { text: notes(place, point) || "–" },
      comparedWithBefore(point, place),
    ],
    csv: [
      plainLine(point.title),
      point.run_id,
      point.created_at,
      point.value,
      point.low,
      point.high,
      point.commit,
      notes(place, point),
    ],
  });
  const dots = once(() =>
    points.map((point, place) => ({
      value: point.value,
      low: point.low,
      high: point.high,
      when: point.created_at.slice(0, 10),
      mark: point.environment_changed,
      href: hrefOf(point.run_id),
      // Worded when somebody stops there, and not for each run before.
      get text() {
        return textOf(point, place);
      },
    })),
  );
  const rows = once(() => points.map(rowOf).reverse());
  return {
    title,
    summary: `${valueTitle}, one point per run, oldest first. ${
      relative === null
        ? "Bars show the range over the trials."
        : "Bars show the 95 % interval of a run's ratio; a point without one is the ratio of two medians."
    } ${ranking.moreIsBetter ? "Higher" : "Lower"} is better. A vertical line marks a change in the environment.`,
    chart: {
      kind: "history",
      style: styleAt(0),
      get points() {
        return dots();
      },
      levels: medians.flatMap((median, at) => {
        const [from, to] = [ends[at], ends[at + 1]];
        if (median === undefined || from === undefined || to === undefined) return [];
        return [{ from, to: to - 1, value: median, label: value(median) }];
      }),
      unit: relative === null ? ranking.unit : null,
      axisTitle: valueTitle,
    },
    table: {
      caption: title,
      columns: [
        { title: "run" },
        { title: "when (UTC)" },
        { title: valueTitle, align: "right" },
        { title: relative === null ? "range" : "interval", align: "right" },
        { title: "commit" },
        { title: "what changed", wrap: true },
        { title: "with the run before" },
      ],
      csv: ["run", "run_id", "created_at", "value", "low", "high", "commit", "change"],
      get rows() {
        return rows();
      },
    },
    empty: points.some((point) => point.value !== null)
      ? null
      : relative === null
        ? "No run in this history has a valid figure."
        : `No run has both this entry and “${relative}” with figures that count; choose another one to compare with.`,
  };
}

const minuteOf = ({ created_at }: FollowedRun): string => created_at.slice(0, 16).replace("T", " ");
