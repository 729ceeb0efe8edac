/** What `curve` takes and gives. */

/** Histograms of an entry's trials, and the requests of these trials: dropped, late and failed ones are in no histogram. */
export type CurveInput = {
  blobs: readonly string[];
  trials?: readonly {
    requests: number;
    failures_total: number;
    /** `requests` were meant to be sent at a fixed rate, `dropped` of them never were. */
    offered: { requests: number; dropped: number } | null;
  }[];
};

/** The latencies of several trials together. */
export type Curve = {
  count: number;
  /** null without a latency. */
  max_us: number | null;
  /** `p` in percent, rising: nine steps for each nine up to 99.99, and 25, 75, 97.5; only where count × (1 − q) ≥ 10. */
  points: { p: number; us: number }[];
  /** Why there is no point, or none for the highest percentiles; null when all are there. */
  note: string | null;
  note_zh: string | null;
};
