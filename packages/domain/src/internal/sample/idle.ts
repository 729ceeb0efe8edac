import type { StoredSample } from "./store";

/** With the time in which the trial had no load, summed up so far. */
export interface LoadedSample extends StoredSample {
  idle_us?: number;
}

const beyond = (now: number | null, before: number | null): number =>
  now === null || before === null ? 0 : Math.max(0, now - before);
const less = (value: number | null, by: number): number | null => (value === null ? null : value - by);

/**
 * A trial in slices or tool runs has no load between them: other servers have theirs, or the tool is started anew. A sample
 * without the tool's counters after one with them is the begin of a slice. It goes, and with it what grew since the end of
 * the one before, in time as well as in counters; so any two of what is left make a rate of this trial's own load.
 */
export function withoutIdle(samples: StoredSample[]): LoadedSample[] {
  let idle_us = 0;
  let cpu_us = 0;
  let bytes = 0;
  return samples.flatMap((sample, i): LoadedSample[] => {
    const before = samples[i - 1];
    const goesOn = before?.measured === true && sample.measured;
    if (goesOn && sample.tool_cpu_us === null && before.tool_cpu_us !== null) {
      idle_us += sample.t_us - before.t_us;
      cpu_us += beyond(sample.server_cpu_us, before.server_cpu_us);
      bytes += beyond(sample.loopback_bytes, before.loopback_bytes);
      return [];
    }
    return [
      {
        ...sample,
        idle_us,
        server_cpu_us: less(sample.server_cpu_us, cpu_us),
        loopback_bytes: less(sample.loopback_bytes, bytes),
      },
    ];
  });
}
