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
      "CPU time of the server's process tree divided by requests. Compares servers even if the tool was the bottleneck.",
    limits:
      "Null if the kernel's counters could not be read, a process left the tree, or responses cut off at the end may be more than a tenth of the complete ones. On kernels that account interrupts separately, it excludes them. Batching makes requests cheaper under more load, so compare only the same tool at the same offered rate.",
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
      "Null if the kernel's counters could not be read. Neither good nor bad by itself: a fast server is busy.",
  },
  tool_cpu_cores: {
    id: "tool_cpu_cores",
    title: "Tool CPU",
    unit: "cores",
    better: null,
    aggregation: "none",
    source: "kernel",
    meaning:
      "Cores that the load tool kept busy. At its ceiling, the tool is the bottleneck, not the server.",
    limits:
      "Null if the kernel's counters could not be read. At a fixed rate, loadgen on cores of its own waits by polling the clock, so they are always busy.",
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
      "Null if it could not be read. It is sampled, so shorter peaks are missed. Pages that processes share are counted in each; the page cache that serves files is in none.",
  },
  requests_per_s_per_core: {
    id: "requests_per_s_per_core",
    title: "Requests a second per core",
    unit: "per_s_per_core",
    better: "higher",
    aggregation: "median",
    source: "both",
    meaning: "Requests divided by the server's CPU seconds: what one busy core answers in a second.",
    limits:
      "Null if the server's CPU time is. The reciprocal of CPU per request, with the same limits. Does not say whether the server can use a second core.",
  },
  requests_per_s_per_mib: {
    id: "requests_per_s_per_mib",
    title: "Requests a second per MiB",
    unit: "per_s_per_mib",
    better: "higher",
    aggregation: "median",
    source: "both",
    meaning:
      "Throughput divided by the server's peak resident memory. If the tool was the bottleneck, it is a lower bound, written ≥.",
    limits:
      "Null if the memory is. Most of a small server's memory is its runtime's, so the figure grows with the load; compare it only under the same load.",
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
      "From the processor packages' counters (RAPL); else estimated from power, read ten times a second: of the one INA sensor that measures the board's supply, or of the rails of a Raspberry Pi 5's PMIC, which exclude the 5 V of USB and the regulators' losses. A label of the run says which. Null if there is none of these (most VMs, many boards), and on macOS unless the agent runs as root. Where several sensors could be the supply's, none of them is used. It includes the load tool and everything else on the host: it compares entries under the same load, and is not a server's own consumption.",
  },
  wire_bytes_per_request: {
    id: "wire_bytes_per_request",
    title: "Bytes on the wire per request",
    unit: "bytes",
    better: "lower",
    aggregation: "median",
    source: "both",
    meaning:
      "Bytes on the trial's own loopback divided by requests: request, response, all headers and acknowledgements.",
    limits:
      "Null if the trial had no network namespace of its own. Loopback has packets of 64 KiB: on a real network there are more headers and acknowledgements.",
  },
} as const satisfies Record<string, Metric>;
