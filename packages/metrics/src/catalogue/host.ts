import type { Metric } from "../metric";

export const HOST = {
  host_steal_ratio: {
    id: "host_steal_ratio",
    title: "Stolen CPU",
    unit: "ratio",
    better: "lower",
    aggregation: "none",
    source: "kernel",
    meaning:
      "Part of the host's CPU time that the hypervisor gave to others. Labeled from 1 %. The level alone spoils no trial: entries that take turns lose alike.",
    limits: "Null where the kernel does not count it. Hypervisors need not report it, so 0 is no proof.",
  },
  temperature_max: {
    id: "temperature_max",
    title: "Highest temperature",
    unit: "celsius",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning: "Highest reading of the host's hottest sensor during the measured window.",
    limits:
      "Null without a readable sensor, as in most VMs. That the host throttled is told by its throttling counters, not by this.",
  },
  frequency: {
    id: "frequency",
    title: "Clock",
    unit: "hz",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning: "Clock of the host's cores. A fall below 0.9 of the window's highest, under load, is labeled.",
    limits: "Null where the kernel shows none, as in most VMs.",
  },
  load_before: {
    id: "load_before",
    title: "Load before",
    unit: "number",
    better: "lower",
    aggregation: "none",
    source: "kernel",
    meaning: "The host's load average over one minute before anything was started.",
    limits: "Null where the system has none. Counts what waits as well as what runs.",
  },
  noise_score: {
    id: "noise_score",
    title: "Noise score",
    unit: "number",
    better: "higher",
    aggregation: "none",
    source: "kernel",
    meaning: "How quiet the host was when `rigmark doctor` looked: 100 is quiet, 0 can measure nothing.",
    limits:
      "Null where too little could be read. Of one moment; what a run can really show is told by `rigmark calibrate`.",
  },
} as const satisfies Record<string, Metric>;
