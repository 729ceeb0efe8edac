import { formatNumber, formatQuantity } from "@rigmark/metrics";
import type { Load } from "@rigmark/protocol";
import { plural } from "./text";

const kindOf = (load: Load): string => {
  if (load.kind === "rate") return `${formatNumber(load.rate_per_s)} req/s fixed`;
  if (load.kind === "count") return `shots of ${formatNumber(load.requests)} requests`;
  if (load.kind === "knee") return `the most with p99 within ${formatQuantity(load.p99_us, "us")}`;
  return "closed loop";
};

/** How a scenario loads a server, in one line: "closed loop, 32 connections, keep-alive". */
export const loadInWords = (load: Load): string =>
  `${kindOf(load)}, ${plural(load.connections, "connection")}, ${
    load.keep_alive ? "keep-alive" : "a new connection each request"
  }`;
