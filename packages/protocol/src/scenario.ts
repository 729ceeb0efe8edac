import { z } from "zod";
import { Message, Name, Slug } from "./scalar";

export const Workload = z.enum(["plaintext", "static", "json-sum", "ws-echo"]);
export const ToolName = z.enum(["ab", "autocannon", "k6"]);

/**
 * How the tool loads the server.
 * `closed`: each connection sends its next request when the answer came (throughput).
 * `rate`: requests start at a fixed rate whatever the answers do (latency that may be ranked).
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
]);

/** One workload under one load. A file of `packages/scenarios/scenarios/`. */
export const Scenario = z.strictObject({
  schema: z.literal(1),
  id: Slug,
  title: Name,
  summary: Message,
  workload: Workload,
  tool: ToolName,
  /** Path of the request target, without host. */
  path: z.string().regex(/^\/[!-~]{0,200}$/),
  /** Bytes of a right answer's body: what the sanity algebra multiplies. */
  body_bytes: z.int().min(0),
  load: Load,
  /** Defaults; a run may set others within the ranges of RunSpec. */
  duration_s: z.number().min(0.2).max(3600),
  warmup_s: z.number().min(0).max(600),
  /** Upper bounds that k6 checks; a trial that crosses one counts and carries a label that says so. */
  thresholds: z.array(z.string().max(200)).max(10).optional(),
});

export type Workload = z.infer<typeof Workload>;
export type ToolName = z.infer<typeof ToolName>;
export type Load = z.infer<typeof Load>;
export type Scenario = z.infer<typeof Scenario>;
