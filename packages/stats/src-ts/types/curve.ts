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
  /** The same trials over time, in the order of the run, as far as they tell. */
  over_time?: readonly { block: number; columns: readonly BandColumn[] }[];
  /** Columns of `over_time` in what comes out, 60 if not given; there is at least one a trial. */
  most_columns?: number;
};

/** Responses of a stretch of time. Band 4·e + q begins at 2^e · (1 + q/4) ns; `first` is the band of the first count. */
export type BandColumn = { from_us: number; to_us: number; first: number; counts: readonly number[] };

/** A heat map: bands of latency upwards, time to the right. */
export type OverTime = {
  /** Where each band begins, rising, and where the last one ends: one more than there are bands. */
  edges_us: number[];
  /**
   * Times in seconds of load within the trial, without the turns of others between its slices; `counts`: responses in each band; `half_us`, `all_us`: within which
   * latency half of them came, and all (ends of bands), null of no response.
   */
  columns: {
    block: number;
    from_s: number;
    to_s: number;
    counts: number[];
    half_us: number | null;
    all_us: number | null;
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
  /** null where no trial tells its latencies over time. */
  over_time: OverTime | null;
};
