import type { Metric } from "../metric";

export const COST = {
  server_cpu_us_per_request: {
    id: "server_cpu_us_per_request",
    title: "Server CPU per request",
    unit: "us",
    better: "lower",
    aggregation: "median",
    source: "both",
    meaning:
      "CPU time of the server's process tree divided by requests. Compares servers even where the tool was the limit.",
    limits:
      "Null where the kernel's counters could not be read, a process left the tree, or responses that were cut off at the end may be more than a tenth of the whole ones. Interrupts are not in it on kernels that account them apart. Batching makes requests cheaper under more load, so only the same tool at the same offered rate compares.",
  },
  server_cpu_cores: {
    id: "server_cpu_cores",
    title: "Server CPU",
    unit: "cores",
    better: null,
    aggregation: "median",
    source: "kernel",
    meaning: "Cores that the server's process tree kept busy.",
    limits:
      "Null where the kernel's counters could not be read. Neither good nor bad by itself: a fast server is busy.",
  },
  tool_cpu_cores: {
    id: "tool_cpu_cores",
    title: "Tool CPU",
    unit: "cores",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning: "Cores that the load tool kept busy. At its ceiling the tool is the limit, not the server.",
    limits:
      "Null where the kernel's counters could not be read. At a fixed rate loadgen waits by looking at the clock, and its core is always busy.",
  },
  server_rss_peak_bytes: {
    id: "server_rss_peak_bytes",
    title: "Server memory",
    unit: "bytes",
    better: "lower",
    aggregation: "max",
    source: "kernel",
    meaning: "Largest resident memory of the server's process tree during load.",
    limits:
      "Null where it could not be read. Sampled, so a shorter peak is missed; pages that processes share are counted in each; the page cache that serves files is in none.",
  },
  requests_per_s_per_core: {
    id: "requests_per_s_per_core",
    title: "Requests a second per core",
    unit: "per_s_per_core",
    better: "higher",
    aggregation: "median",
    source: "both",
    meaning: "Requests divided by the server's CPU seconds: what one busy core of it answers in a second.",
    limits:
      "Null where the server's CPU time is. The reciprocal of CPU per request, with the same limits; says nothing about whether the server can use a second core.",
  },
  requests_per_s_per_mib: {
    id: "requests_per_s_per_mib",
    title: "Requests a second per MiB",
    unit: "per_s_per_mib",
    better: "higher",
    aggregation: "median",
    source: "both",
    meaning:
      "Throughput divided by the server's peak resident memory. Where the tool was the limit it is a lower bound, written ≥.",
    limits:
      "Null where the memory is. Most of a small server's memory is its runtime's, so the figure grows with the load; compare it under one load only.",
  },
  energy_uj_per_request: {
    id: "energy_uj_per_request",
    title: "Energy per request",
    unit: "uj",
    better: "lower",
    aggregation: "median",
    source: "both",
    meaning: "Energy of the whole package or board over the measured window, divided by requests.",
    limits:
      "From the processor packages' counters (RAPL); else estimated from power, read ten times a second: of the one INA sensor that measures the board's supply, or of the rails of a Raspberry Pi 5's PMIC, which leave out the 5 V of USB and the regulators' losses. A label of the run says which. Null where there is none of them (most VMs, many boards), where several sensors could be the supply's, and on macOS unless the agent runs as root. The load tool and everything else on the host are in it: it compares entries under one load, and is no server's own consumption.",
  },
  wire_bytes_per_request: {
    id: "wire_bytes_per_request",
    title: "Bytes on the wire per request",
    unit: "bytes",
    better: "lower",
    aggregation: "median",
    source: "both",
    meaning:
      "Bytes on the trial's own loopback divided by requests: request, answer, all headers and acknowledgements.",
    limits:
      "Null where the trial had no network namespace of its own. Loopback has packets of 64 KiB: on a real network there are more headers and acknowledgements.",
  },
} as const satisfies Record<string, Metric>;
