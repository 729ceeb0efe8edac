import { withCodesOf } from "@rigmark/domain/testing";
import type { ResultRun } from "@/lib/results/shape";

/** A run whose trials a test changed, with what packages/stats says of these trials: what counts and what is bounded. */
export function refreshed<R extends ResultRun>(run: R): R {
  return { ...run, summary: withCodesOf({ ...run, blocks: null }) };
}

/** The golden run is older than these codes; nothing else of it is recomputed. */
export const withCodes = (golden: unknown): ResultRun => refreshed(golden as ResultRun);
