import type { SeriesPoint } from "@rigmark/results";
import type { LoadedSample } from "./idle";
import type { StoredSample } from "./store";

/** On the agent's clock. */
export interface Origin {
  /** Start of the warm-up, how long it is meant to last, and how long it lasted once that is known. */
  begin_us: number | null;
  warmup_s: number;
  warmup_us?: number | null;
  /** Start of the measured window. */
  measure_us: number | null;
}

const growth = (now: number | null, before: number | null): number | null =>
  now === null || before === null || now < before ? null : now - before;

/** Requests over the time between the tool's own two counts; null while it has printed no new one. */
function rate(now: StoredSample, before: StoredSample): number | null {
  const us = (now.requests_t_us ?? now.t_us) - (before.requests_t_us ?? before.t_us);
  const count = growth(now.requests, before.requests);
  return count === null || us <= 0 ? null : count / (us / 1e6);
}

/**
 * Cumulative counters to rates. The tool starts anew for the measured window, so its counters are not subtracted
 * across the two; those of the server and of the loopback go on.
 */
export function toPoints(samples: LoadedSample[], origin: Origin, afterSeq = -1): SeriesPoint[] {
  const first = samples[0]?.t_us ?? 0;
  const measured = origin.measure_us ?? samples.find((s) => s.measured)?.t_us ?? first;
  // Warm-up points keep their place when the measured window begins a little early or late. A server that compiles while
  // it runs is warmed up for longer than planned: none of its warm-up is after its end.
  const warmed =
    origin.begin_us === null
      ? measured
      : samples.reduce(
          (end, s) => (s.measured ? end : Math.max(end, s.t_us)),
          origin.begin_us + Math.max(origin.warmup_s * 1e6, origin.warmup_us ?? 0),
        );
  const points: SeriesPoint[] = [];
  samples.forEach((sample, i) => {
    const before = samples[i - 1];
    if (!before || sample.seq <= afterSeq) return;
    const idle_us = (sample.idle_us ?? 0) - (before.idle_us ?? 0);
    const seconds = (sample.t_us - before.t_us - idle_us) / 1e6;
    const per = (value: number | null) => (value === null || seconds <= 0 ? null : value / seconds);
    const cores = (value: number | null) => per(value === null ? null : value / 1e6);
    const sameTool = sample.measured === before.measured;
    const requests = sameTool ? rate(sample, before) : null;
    const bytes = per(growth(sample.loopback_bytes, before.loopback_bytes));
    points.push({
      t_s: Math.round((sample.t_us - (sample.measured ? measured : warmed)) / 1e3) / 1e3,
      window: sample.measured ? "measure" : "warm-up",
      requests_per_s: requests,
      rate_source: sample.requests !== null ? "tool" : bytes !== null ? "loopback" : null,
      bytes_per_s: bytes,
      server_cpu_cores: cores(growth(sample.server_cpu_us, before.server_cpu_us)),
      tool_cpu_cores: cores(sameTool ? growth(sample.tool_cpu_us, before.tool_cpu_us) : null),
      server_rss_bytes: sample.server_rss_bytes,
    });
  });
  return points;
}
