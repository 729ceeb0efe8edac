import {
  Conformance,
  Id,
  Load,
  Name,
  ScenarioRef,
  ServerOption,
  Sha256,
  Slug,
  ToolName,
  Workload,
} from "@rigmark/protocol";
import { z } from "zod";
import { HostStatus } from "./host";
import { Moment } from "./scalar";
import { BoundSide } from "./summary";

/** A server as the hosts of a workspace know it; where they differ, as the host says that spoke last. */
const About = z.object({
  name: Slug,
  title: Name,
  language: Name,
  summary: z.string(),
  license: Name,
  workloads: z.array(Workload),
});

export const ServerListItem = About.extend({
  /** Hosts that have it, and those on which it builds. */
  hosts: z.object({ total: z.int(), supported: z.int() }),
});

/** A server on one host. */
export const ServerOnHost = z.object({
  host_id: Id,
  name: z.string(),
  status: HostStatus,
  arch: z.string().nullable(),
  os_name: z.string().nullable(),
  supported: z.boolean(),
  reason: z.string().nullable(),
  fix: z.string().nullable(),
  content_hash: Sha256,
});

/** The run in which a scenario went best on a host: medians of its valid trials, whose server was verified. */
export const ServerBest = z.object({
  scenario: ScenarioRef,
  title: z.string(),
  workload: Workload,
  tool: ToolName,
  load: Load,
  host: z.object({ host_id: Id, name: z.string() }),
  run_id: Id,
  run_title: z.string(),
  finished_at: Moment.nullable(),
  label: z.string(),
  options: z.record(z.string(), z.int()),
  content_hash: Sha256,
  trials: z.int(),
  requests_per_s: z.number().nullable(),
  /** Half of the trials or more were limited by the tool: written `≥`. */
  lower_bound: z.boolean(),
  p99_us: z.number().nullable(),
  /** What that makes of the p99. */
  latency_bound: BoundSide.nullable(),
  cpu_us_per_request: z.number().nullable(),
  rss_peak_bytes: z.number().nullable(),
});

/** How a build of the server conforms, as the run says that found it. */
export const ServerConformance = Conformance.omit({ entry_key: true }).extend({
  label: z.string(),
  run_id: Id,
});

export const ServerView = About.extend({
  options: z.record(Slug, ServerOption),
  hosts: z.array(ServerOnHost),
  best: z.array(ServerBest),
  /** Of the newest run that has one, for each workload. */
  conformance: z.array(ServerConformance),
});

export type ServerListItem = z.infer<typeof ServerListItem>;
export type ServerOnHost = z.infer<typeof ServerOnHost>;
export type ServerBest = z.infer<typeof ServerBest>;
export type ServerConformance = z.infer<typeof ServerConformance>;
export type ServerView = z.infer<typeof ServerView>;
