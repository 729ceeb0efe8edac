import { formatNumber, formatQuantity } from "@rigmark/metrics";
import type { Load } from "@rigmark/protocol";
import { plural } from "./text";

/** What was asked for is exact: `1 ms`, not `1.00 ms`. */
const roundUs = (us: number): string => formatQuantity(us, "us").replace(/\.0+(?=\D|$)/, "");

const kindOf = (load: Load): string => {
  if (load.kind === "rate") return `${formatNumber(load.rate_per_s)} req/s fixed`;
  if (load.kind === "count") return `shots of ${formatNumber(load.requests)} requests`;
  if (load.kind === "knee") return `the most with p99 within ${roundUs(load.p99_us)}`;
  return "closed loop";
};

/** How a scenario loads a server, in one line: "closed loop, 32 connections, keep-alive". */
export const loadInWords = (load: Load): string =>
  `${kindOf(load)}, ${plural(load.connections, "connection")}, ${
    load.keep_alive ? "keep-alive" : "a new connection each request"
  }`;

/** Why a search has no CPU: its counters and its requests are not of the same seconds. */
export const SEARCH_HAS_NO_CPU = "not told for a search: the counters are of all its steps";
export const SEARCH_HAS_NO_CPU_IN_SHORT = "not told for a search";
export const CPU_NOT_READ = "CPU time could not be read here";
