import type { LogView, RunView, SeriesPoint, TrialSeries, WatchEvent } from "@rigmark/results";
import { LIVE_POINTS } from "@rigmark/results/points";
import { averageNeighbors } from "./live-points";

export const KEEP_LOGS = 2000;

/** What the run page knows: rows as of the last response, merged with every event since. */
export interface LiveRun {
  run: RunView;
  series: ReadonlyMap<string, TrialSeries>;
  logs: readonly LogView[];
}

export const startLive = (
  run: RunView,
  series: readonly TrialSeries[] = [],
  logs: readonly LogView[] = [],
): LiveRun => ({
  run,
  series: new Map(series.map((s) => [s.trial_id, s])),
  logs,
});

/** Events may come twice, after a reconnect, and in the order of their journal otherwise. */
export function mergeEvent(live: LiveRun, event: WatchEvent): LiveRun {
  switch (event.kind) {
    case "run": {
      const run = { ...live.run, ...event.run };
      // A new attempt starts over; what an older one sent stays with it.
      return run.attempt_no !== live.run.attempt_no && live.run.attempt_no !== null
        ? { run, series: new Map(), logs: [] }
        : { ...live, run };
    }
    case "trials": {
      const changed = new Map(event.trials.map((trial) => [trial.trial_id, trial]));
      const trials = live.run.trials.map((trial) => changed.get(trial.trial_id) ?? trial);
      return { ...live, run: { ...live.run, trials } };
    }
    case "environment":
      return { ...live, run: { ...live.run, environment: event.environment } };
    case "points":
      return { ...live, series: appendPoints(live.series, event) };
    case "logs":
      return { ...live, logs: mergeLogs(live.logs, event.lines) };
    case "unchanged":
      return live;
  }
}

function appendPoints(
  series: LiveRun["series"],
  event: { trial_id: string; entry_key: string; points: SeriesPoint[] },
): LiveRun["series"] {
  if (event.points.length === 0) return series;
  const old = series.get(event.trial_id);
  const points = mergePoints(old?.points ?? [], event.points);
  const next = new Map(series);
  next.set(event.trial_id, {
    trial_id: event.trial_id,
    entry_key: event.entry_key,
    points: averageNeighbors(points, LIVE_POINTS),
    downsampled: (old?.downsampled ?? false) || points.length > LIVE_POINTS,
  });
  return next;
}

/** By time; of two points of one moment the newer stays. */
function mergePoints(old: readonly SeriesPoint[], fresh: readonly SeriesPoint[]): SeriesPoint[] {
  const last = old.at(-1);
  const first = fresh[0];
  if (!last || (first && first.t_s > last.t_s)) return [...old, ...fresh];
  const byTime = new Map([...old, ...fresh].map((p) => [p.t_s, p]));
  return [...byTime.values()].sort((a, b) => a.t_s - b.t_s);
}

function mergeLogs(old: readonly LogView[], fresh: readonly LogView[]): LogView[] {
  const last = old.at(-1)?.seq ?? -1;
  const inOrder = fresh.every((line, i) => line.seq > (fresh[i - 1]?.seq ?? last));
  const all = inOrder
    ? [...old, ...fresh]
    : [...new Map([...old, ...fresh].map((l) => [l.seq, l])).values()].sort((a, b) => a.seq - b.seq);
  return all.slice(-KEEP_LOGS);
}

/** Lines that were there before, are no longer, and come after those that are kept. */
export function droppedLines(
  before: readonly LogView[],
  now: readonly LogView[],
  kept: readonly LogView[],
): LogView[] {
  const [from, last] = [now[0]?.seq ?? 0, kept.at(-1)?.seq ?? -1];
  return before.filter((line) => line.seq < from && line.seq > last);
}

/** A poll's answer: rows win, points and lines that came by stream are kept. */
export function mergePoll(
  live: LiveRun,
  run: RunView,
  series: readonly TrialSeries[],
  logs: readonly LogView[],
): LiveRun {
  // Attempts of one seed have the same trial ids: points of an older one are not this one's.
  if (run.attempt_no !== live.run.attempt_no) return startLive(run, series, logs);
  const merged = new Map(live.series);
  for (const s of series) {
    const old = merged.get(s.trial_id);
    merged.set(s.trial_id, {
      ...s,
      points: s.downsampled ? s.points : mergePoints(old?.points ?? [], s.points),
    });
  }
  return { run, series: merged, logs: mergeLogs(live.logs, logs) };
}

/**
 * What a page still waits for. `live`: what its stream says; `late`: the run is over, and data that arrives still completes
 * it, of which no stream tells; `whole`: nothing.
 */
export type Stage = "live" | "late" | "whole";

export const stageOf = ({ final, state }: Pick<RunView, "final" | "state">): Stage =>
  !final ? "live" : state === "incomplete" ? "late" : "whole";

/** After so many milliseconds without an event the rows are asked for: a proxy may hold the stream back. */
const QUIET_MS = 6000;
/** The end is read soon, with what the stream did not bring. */
const ENDED_MS = 3000;
const LATE_MS = 20_000;

/** How long to wait before the rows are read again, in milliseconds; null: never. */
export function rereadMs(stage: Stage, final: boolean): number | null {
  if (stage === "whole") return null;
  if (stage === "late") return LATE_MS;
  return final ? ENDED_MS : QUIET_MS;
}
