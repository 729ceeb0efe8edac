import type { ToolResult } from "@rigmark/protocol";

export type Asked = Pick<ToolResult, "requests" | "failures" | "offered">;

/**
 * The share of the requests of several trials that have no latency, or none that counts: dropped, late or failed, each
 * once. Late are the offered ones that were neither dropped nor answered. Of a closed loop the offered are those sent.
 */
export function lostRatio(trials: readonly Asked[]): number {
  let meant = 0;
  let lost = 0;
  for (const { requests, failures, offered } of trials) {
    const dropped = offered?.dropped ?? 0;
    const asked = offered?.requests ?? requests;
    meant += asked;
    lost += dropped + Math.max(asked - dropped - requests, failures.total, 0);
  }
  return meant > 0 ? lost / meant : 1;
}

/** Percentile p counts when so few are lost that they could not move it (docs/method.md). */
export const counts = (p: number, lost: number): boolean => lost <= (1 - p / 100) / 10 + Number.EPSILON;
