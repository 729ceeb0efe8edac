import type { Words } from "@rigmark/messages";
import { formatNumber, formatQuantity } from "@rigmark/metrics";
import type { Load } from "@rigmark/protocol";

/** What was asked for is exact: `1 ms`, not `1.00 ms`. */
const roundUs = (us: number): string => formatQuantity(us, "us").replace(/\.0+(?=\D|$)/, "");

const kindOf = (w: Words, load: Load): string => {
  if (load.kind === "rate") return w.t("report.method.kind.rate", { rate: formatNumber(load.rate_per_s) });
  if (load.kind === "count") return w.t("report.method.kind.count", { n: formatNumber(load.requests) });
  if (load.kind === "knee") return w.t("report.method.kind.knee", { time: roundUs(load.p99_us) });
  return w.t("report.method.kind.closed");
};

/** How a scenario loads a server, in one line: "closed loop, 32 connections, keep-alive". */
export const loadInWords = (w: Words, load: Load): string =>
  w.t(load.keep_alive ? "report.method.keepAlive" : "report.method.newConnections", {
    kind: kindOf(w, load),
    n: load.connections,
  });
