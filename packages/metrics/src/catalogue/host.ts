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
      "Part of the host's CPU time that the hypervisor gave to others. Labeled from 1 %. The level alone makes no trial invalid: entries that take turns lose equally.",
    limits: "Null if the kernel does not count it. Hypervisors need not report it, so 0 proves nothing.",
  },
  temperature_max: {
    id: "temperature_max",
    title: "Highest temperature",
    unit: "celsius",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning: "Highest reading of the CPU's temperature sensor during the measured window.",
    limits:
      "Null without a readable sensor, as in most VMs. Throttling is known from the throttling counters, not from this.",
  },
  frequency: {
    id: "frequency",
    title: "CPU frequency",
    unit: "hz",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning:
      "Clock frequency of the host's cores. A drop below 0.9 of the window's highest, under load, is labeled.",
    limits: "Null if the kernel reports none, as in most VMs.",
  },
  load_before: {
    id: "load_before",
    title: "Load before",
    unit: "number",
    better: "lower",
    aggregation: "none",
    source: "kernel",
    meaning: "The host's load average over one minute before anything was started.",
    limits: "Null if the system has none. Counts waiting processes as well as running ones.",
  },
  noise_score: {
    id: "noise_score",
    title: "Noise score",
    unit: "number",
    better: "higher",
    aggregation: "none",
    source: "kernel",
    meaning: "How quiet the host was when `rigmark doctor` ran: 100 is quiet; at 0 it can measure nothing.",
    limits:
      "Null if too little could be read. Valid for one moment; `rigmark calibrate` says what a run can really show.",
  },
} as const satisfies Record<string, Metric>;
