import { Catalogue, HostFacts, Id, InstallStep, InstallStepState, Name, RunState } from "@rigmark/protocol";
import { z } from "zod";
import { Moment } from "./scalar";

/**
 * `waiting`: enrolled, never seen since. `online`: heard of within the last minute. `published`: known from published files,
 * without an agent.
 */
export const HostStatus = z.enum(["waiting", "online", "offline", "revoked", "published"]);
/** How a host came to be here: its agent enrolled, or somebody published a file that was made on it. */
export const HostKind = z.enum(["agent", "published"]);

export const HostSummary = z.object({
  host_id: Id,
  name: Name,
  status: HostStatus,
  online: z.boolean(),
  last_seen_at: Moment.nullable(),
  enrolled_at: Moment,
  revoked_at: Moment.nullable(),
  hostname: Name.nullable(),
  os: z.enum(["linux", "macos"]).nullable(),
  os_name: Name.nullable(),
  kernel: Name.nullable(),
  arch: z.enum(["x86_64", "aarch64", "arm"]).nullable(),
  board: Name.nullable(),
  cpu_model: Name.nullable(),
  cpus_online: z.int().nullable(),
  memory_bytes: z.number().nullable(),
  agent_version: Name.nullable(),
  /** How many of doctor's checks ended how; null before the first facts. */
  checks: z.object({ ok: z.int(), warn: z.int(), fail: z.int(), unknown: z.int() }).nullable(),
  current_run: z.object({ run_id: Id, title: z.string(), state: RunState }).nullable(),
});

export const HostView = HostSummary.extend({
  /** What the host is, with doctor's checks in `facts.checks`. Null until the agent has sent them. */
  facts: HostFacts.nullable(),
  facts_at: Moment.nullable(),
  /** What works there and why the rest does not. Null until the agent has sent it. */
  catalogue: Catalogue.nullable(),
  catalogue_at: Moment.nullable(),
});

export const EnrollmentCreated = z.object({
  enrollment_id: Id,
  /** Shown once; only its sha256 is kept. */
  key: z.string(),
  expires_at: Moment,
  commands: z.object({
    /** One line: download, check, install, enroll, start. */
    install: z.string(),
    /** The same for the wary: download, look, then run. */
    inspect: z.string(),
    /** For a machine that has `rigmark` already. */
    enroll_local: z.string(),
  }),
  /** Plain HTTP to another machine: the commands carry `--allow-http` and the page says so. */
  allow_http_needed: z.boolean(),
  /** The address works on this machine only, so the command cannot be used on another one. */
  loopback_only: z.boolean(),
});

/** What the install script said last of one of its steps. */
export const StepReport = z.object({
  step: InstallStep,
  state: InstallStepState,
  text: z.string(),
  at: Moment,
});

/** `steps` is empty where the script reports nothing. */
export const EnrollmentStatus = z.discriminatedUnion("status", [
  z.object({ status: z.literal("waiting"), expires_at: Moment, steps: z.array(StepReport) }),
  z.object({ status: z.literal("used"), host: HostSummary, steps: z.array(StepReport) }),
  z.object({ status: z.literal("expired"), expires_at: Moment, steps: z.array(StepReport) }),
]);

export type StepReport = z.infer<typeof StepReport>;
export type HostKind = z.infer<typeof HostKind>;
export type HostStatus = z.infer<typeof HostStatus>;
export type HostSummary = z.infer<typeof HostSummary>;
export type HostView = z.infer<typeof HostView>;
export type EnrollmentCreated = z.infer<typeof EnrollmentCreated>;
export type EnrollmentStatus = z.infer<typeof EnrollmentStatus>;
