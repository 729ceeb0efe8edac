import { z } from "zod";
import { HttpLoad } from "./http-load";
import { Message, Name, ScenarioRef } from "./scalar";

/** `http`: requests of somebody's own scenario file, which every server takes. */
export const Workload = z.enum(["plaintext", "static", "json-sum", "ws-echo", "upload", "http"]);
export const ToolName = z.enum(["ab", "autocannon", "h2load", "k6", "wrk", "loadgen"]);

/**
 * How the tool loads the server.
 * `closed`: each connection sends its next request when the response came (throughput).
 * `rate`: requests start at a fixed rate whether responses arrive or not (latency that may be ranked).
 * `count`: a closed loop of so many requests over all connections together: a tool run. They are repeated until the trial's
 * seconds were measured; the first one is kept apart, because that is what such a benchmark publishes.
 * `knee`: a search, by loadgen alone, for the highest fixed rate that keeps the 99th percentile within `p99_us`, from
 * `start_per_s` up to `most_per_s`. The rate that was confirmed is the trial's throughput.
 */
export const Load = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("closed"),
    connections: z.int().min(1).max(10_000),
    keep_alive: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("rate"),
    rate_per_s: z.int().min(1).max(1_000_000),
    connections: z.int().min(1).max(10_000),
    keep_alive: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("count"),
    requests: z.int().min(1).max(100_000_000),
    connections: z.int().min(1).max(10_000),
    keep_alive: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("knee"),
    p99_us: z.int().min(1).max(60_000_000),
    start_per_s: z.int().min(50).max(1_000_000),
    /** At least `start_per_s`. */
    most_per_s: z.int().min(50).max(1_000_000),
    connections: z.int().min(1).max(10_000),
    keep_alive: z.boolean(),
  }),
]);

/**
 * What a request carries; drawn from the trial, so no two trials send the same.
 * `numbers`: a JSON array of so many integers. `bytes`: so many bytes (a binary message on a WebSocket). `text`: so many
 * bytes of text. `greeting`: `{"text": "Hello from connection X - message Y"}`.
 */
export const Payload = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("numbers"), count: z.int().min(0).max(100_000) }),
  z.strictObject({
    kind: z.literal("bytes"),
    bytes: z
      .int()
      .min(0)
      .max(128 * 2 ** 20),
  }),
  z.strictObject({
    kind: z.literal("text"),
    bytes: z
      .int()
      .min(0)
      .max(2 ** 20),
  }),
  z.strictObject({ kind: z.literal("greeting") }),
]);

export const JudgedBy = z.enum(["requests_per_s", "p99_us", "cpu_us_per_request"]);

/** A number of a scenario that a run may set. */
export const NumberName = z.enum(["connections", "duration", "in_flight", "rate"]);

/** One workload under one load: a file of `packages/scenarios/scenarios/`, or of the host's owner. */
export const Scenario = z.strictObject({
  schema: z.literal(1),
  id: ScenarioRef,
  title: Name,
  summary: Message,
  workload: Workload,
  tool: ToolName,
  /** Path of the request target, without host. */
  path: z.string().regex(/^\/[!-~]{0,999}$/),
  /** Bytes of the smallest right response's body: what the sanity check multiplies. A message's, on a WebSocket. */
  body_bytes: z.int().min(0),
  load: Load,
  /** What a request carries; without it nothing (GET). A POST for `json-sum` and `upload`, a message for `ws-echo`. */
  payload: Payload.optional(),
  /** Requests that a connection has under way at once; without it one. */
  in_flight: z.int().min(1).max(1000).optional(),
  /** Until when latency is counted; without it until the last byte of the response. */
  latency_until: z.enum(["first-byte", "last-byte"]).optional(),
  /** Defaults; a run may set others within the ranges of RunSpec. */
  duration_s: z.number().min(0.2).max(3600),
  warmup_s: z.number().min(0).max(600),
  /** Upper bounds that k6 checks; a trial that crosses one counts and carries a label that says so. */
  thresholds: z.array(z.string().max(200)).max(10).optional(),
  /**
   * What entries are compared by; without it throughput for a closed loop or a count, p99 for a fixed rate. Server CPU a
   * request, at a fixed rate, compares servers even where the generator is the limit.
   */
  judged_by: JudgedBy.optional(),
  /** Of the workload `http`, and of no other. `path` is that of the first request, `body_bytes` 0. */
  http: HttpLoad.optional(),
});

export type Workload = z.infer<typeof Workload>;
export type NumberName = z.infer<typeof NumberName>;
export type ToolName = z.infer<typeof ToolName>;
export type JudgedBy = z.infer<typeof JudgedBy>;
export type Load = z.infer<typeof Load>;
export type Payload = z.infer<typeof Payload>;
export type Scenario = z.infer<typeof Scenario>;
