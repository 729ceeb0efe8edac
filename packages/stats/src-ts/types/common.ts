/** What input and output have in common. */

/** `knee`: a search for the highest fixed rate that keeps a bound of latency; what it found is the trial's throughput. */
export type Load = "closed" | "count" | "rate" | "knee";
export type TrialStatus = "valid" | "invalid" | "failed" | "cancelled";
export type Limit = "server-bound" | "generator-bound" | "nothing-saturated";
export type Verdict = "faster" | "slower" | "no-difference" | "not-comparable";
/**
 * What ranks: requests a second, the 99th percentile of latency in µs, or the server's CPU time a request in µs.
 * `first_byte_p50_us`, of single requests in a closed loop that are timed to the first byte, is shown and ranks nobody.
 */
export type Metric = "requests_per_s" | "p99_us" | "cpu_us_per_request" | "first_byte_p50_us";

export type Rounds = { measured: number; left_out: number };

/** In the unit of its figure; `cv` as a ratio, null for one value. */
export type Spread = { n: number; median: number; min: number; max: number; cv: number | null };

/** Entry ÷ baseline of the scenario's metric: for p99 a ratio below 1 is the faster one. */
export type Ratio = { estimate: number; low: number; high: number; confidence: number };

/** A figure or a ratio that is a bound: the true one is at least, or at most, so large. */
export type BoundSide = "at-least" | "at-most";
