import { z } from "zod";
import { RunSpec } from "../run-spec";
import { AttemptNo, Count, Count32, Id, Message, MonotonicUs, Name, Sha256, Slug } from "../scalar";
import { RUN_STATES } from "./run-states";

export const RunState = z.enum(RUN_STATES);
export type RunState = z.infer<typeof RunState>;

export const StreamName = z.enum(["journal", "raw"]);
export type StreamName = z.infer<typeof StreamName>;

/** POST /api/agent/v1/lease: held up to 25 s. The same `request_id` gets the same lease. */
export const LeaseRequest = z.strictObject({
  request_id: Id,
  boot_id: Name,
  catalogue_digest: Sha256,
});
export const Lease = z.strictObject({
  run_id: Id,
  attempt_id: Id,
  attempt_no: AttemptNo,
  spec: RunSpec,
  lease_s: z.int().min(1),
  heartbeat_s: z.number().min(0.1),
  /** True when the control plane runs on the asking host: part of the environment. */
  control_plane_same_host: z.boolean(),
});
export const LeaseResponse = z.strictObject({
  lease: Lease.nullable(),
  /** True when the control plane has another catalogue or facts than the digest says: PUT them again. */
  catalogue_wanted: z.boolean(),
});

/** POST /api/agent/v1/attempts/:id/start */
export const StartRequest = z.strictObject({ attempt_no: AttemptNo });
export const StartResponse = z.strictObject({ state: RunState, heartbeat_s: z.number().min(0.1) });

/** What the attempt is doing, said by the agent in each heartbeat. */
export const AttemptState = z.enum(["preparing", "measuring", "uploading"]);

/** POST /api/agent/v1/attempts/:id/heartbeat */
export const HeartbeatRequest = z.strictObject({
  attempt_no: AttemptNo,
  state: AttemptState,
  t_us: MonotonicUs,
});
export const HeartbeatResponse = z.strictObject({
  lease_s: z.int().min(1),
  heartbeat_s: z.number().min(0.1),
  command: z.enum(["none", "cancel"]),
  /** Next chunk that each stream waits for. */
  next_seq: z.strictObject({ journal: Count, raw: Count }),
});

/**
 * PUT /api/agent/v1/attempts/:id/streams/:name/chunks/:seq
 * Body: records as JSON lines, gzip. Headers: `x-rigmark-sha256` (of the uncompressed bytes), `x-rigmark-records`,
 * `x-rigmark-attempt-no`.
 */
export const ChunkResponse = z.strictObject({ next_seq: Count });
export const CHUNK_HEADERS = {
  sha256: "x-rigmark-sha256",
  records: "x-rigmark-records",
  attempt_no: "x-rigmark-attempt-no",
} as const;

/**
 * Totals of a stream. `digest` is rolling: d(0) = sha256(""), d(n+1) = sha256(d(n) bytes ‖ sha256(chunk n) bytes), hexadecimal.
 */
export const StreamTotals = z.strictObject({ chunks: Count32, records: Count, bytes: Count, digest: Sha256 });

/** POST /api/agent/v1/attempts/:id/finish */
export const FinishRequest = z.strictObject({
  attempt_no: AttemptNo,
  status: z.enum(["succeeded", "failed", "cancelled"]),
  error: z.strictObject({ code: Slug, message: Message }).nullable(),
  /** Records that the spool had to count as corrupt; they are gone and the run says so. */
  corrupt_records: Count32,
  streams: z.strictObject({ journal: StreamTotals, raw: StreamTotals }),
});
export const FinishResponse = z.strictObject({ state: RunState });
export type Lease = z.infer<typeof Lease>;
export type FinishRequest = z.infer<typeof FinishRequest>;
export type StreamTotals = z.infer<typeof StreamTotals>;
