import type { Words } from "@rigmark/messages";
import type { Bound } from "@rigmark/metrics";
import type { SeriesPoint, TrialView } from "@rigmark/results";
import { rateBound } from "@rigmark/results/ranking";
import { type ResultRun, rankedEntries, trialReason } from "./shape";

/** How a scenario's trials went over time, and nothing else of their run: every reader of a report downloads it. */
export interface Course {
  entries: { key: string; name: string; rateBound: Bound }[];
  trials: CourseTrial[];
}

export interface CourseTrial
  extends Pick<TrialView, "block" | "state" | "warmup_s" | "warmup_us" | "duration_s"> {
  /** Place of its entry; -1: unknown. */
  entry: number;
  /** Why an invalid one does not count. Said here, because the browser of a report's reader has few words. */
  why: string | null;
  /** Null where nothing was sampled. */
  samples: Samples | null;
}

export type CoursePoint = Omit<SeriesPoint, "rate_source">;

const FIGURES = [
  "requests_per_s",
  "bytes_per_s",
  "server_cpu_cores",
  "tool_cpu_cores",
  "server_rss_bytes",
] as const;

/** Points by columns: in a page they take a fourth of what a list of points does. */
interface Samples extends Record<(typeof FIGURES)[number], (number | null)[] | null> {
  t_s: number[];
  /** Windows one after the other, with the number of points in each. */
  windows: [CoursePoint["window"], number][];
}

export function courseOf(
  w: Words,
  run: Pick<ResultRun, "entries" | "summary" | "trials" | "series">,
  scenario: string,
): Course {
  const entries = rankedEntries(run, scenario).map(({ entry, name, summary }) => ({
    ...{ key: entry.key, name, rateBound: rateBound(summary) },
  }));
  const place = new Map(entries.map(({ key }, at) => [key, at]));
  const series = new Map(run.series.map((s) => [s.trial_id, s.points]));
  return {
    entries,
    trials: run.trials
      .filter((trial) => trial.scenario === scenario)
      .map((trial) => {
        const { block, state, warmup_s, warmup_us, duration_s } = trial;
        const points = series.get(trial.trial_id);
        return {
          ...{ block, state, warmup_s, warmup_us, duration_s },
          entry: place.get(trial.entry_key) ?? -1,
          why: state === "invalid" ? trialReason(w, trial) : null,
          samples: points ? samplesOf(points) : null,
        };
      }),
  };
}

function samplesOf(points: readonly CoursePoint[]): Samples {
  const windows: Samples["windows"] = [];
  for (const { window } of points) {
    const last = windows.at(-1);
    if (last?.[0] === window) last[1] += 1;
    else windows.push([window, 1]);
  }
  const columns = FIGURES.map((figure) => {
    const values = points.map((point) => point[figure]);
    return [figure, values.every((value) => value === null) ? null : values];
  });
  return { t_s: points.map((point) => point.t_s), windows, ...Object.fromEntries(columns) };
}

/** The points of a trial, in the order of time. */
export function pointsOf({ samples }: Pick<CourseTrial, "samples">): CoursePoint[] {
  if (!samples) return [];
  const windows = samples.windows.flatMap(([window, many]) =>
    Array<CoursePoint["window"]>(many).fill(window),
  );
  return samples.t_s.map((t_s, at) => ({
    ...{ t_s, window: windows[at] ?? "measure" },
    requests_per_s: samples.requests_per_s?.[at] ?? null,
    bytes_per_s: samples.bytes_per_s?.[at] ?? null,
    server_cpu_cores: samples.server_cpu_cores?.[at] ?? null,
    tool_cpu_cores: samples.tool_cpu_cores?.[at] ?? null,
    server_rss_bytes: samples.server_rss_bytes?.[at] ?? null,
  }));
}
