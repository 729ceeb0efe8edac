import { z } from "zod";
import { Count, Message, Name, Quantity, ScenarioRef, Sha256, Slug, unique, WallUs } from "./scalar";
import { JudgedBy, NumberName, Scenario, ToolName, Workload } from "./scenario";
import { Suite } from "./suite";

/** One line of `rigmark doctor`: what was looked at, what was found, and how to fix it. */
export const DoctorCheck = z.strictObject({
  id: Slug,
  title: Name,
  status: z.enum(["ok", "warn", "fail", "unknown"]),
  found: Message,
  why: Message.nullable(),
  fix: Message.nullable(),
});

/** How much noise there is on the host: what `rigmark doctor` measured. */
export const HostNoise = z.strictObject({
  measured_wall_us: WallUs,
  /** 0 (nothing can be measured here) to 100 (quiet); null when too little could be read. */
  score: z.number().min(0).max(100).nullable(),
  parts: z
    .array(
      z.strictObject({
        id: z.enum(["compute", "memory", "disk", "scheduler", "steal"]),
        /** Spread (CV) of equal pieces of work, p99 of a small fsync or of a timer's lateness in µs, or the stolen share. */
        value: Quantity.nullable(),
        unit: z.enum(["ratio", "us"]),
        status: z.enum(["ok", "warn", "fail", "unknown"]),
      }),
    )
    .max(5),
});

/** A server run against itself by `rigmark calibrate`: what differences this host can show. */
export const HostCalibration = z.strictObject({
  measured_wall_us: WallUs,
  server: Slug,
  scenario: ScenarioRef,
  metric: JudgedBy,
  blocks: Count,
  /** Seconds of load in each block for each entry. */
  duration_s: Quantity,
  /** Standard deviation of a block's log-ratio of the server to itself. */
  sd_log_ratio: Quantity,
  /** With so many blocks, the least true difference that gets a verdict with a probability of 0.8: 0.05 is 5 %. */
  smallest: z.array(z.strictObject({ blocks: Count, difference: Quantity })).max(20),
  fingerprint: Sha256,
});

/** What a run that asks for it may have set on the host, for as long as it takes. */
export const HostTune = z.strictObject({
  /** Settings by name, such as `CPU governor`. */
  sets: z.array(Name).max(8),
  /** What the agent has not the rights for, a phrase each. */
  missing: z.array(Message).max(8),
});

/** What the host is. Everything that could not be read is null. */
export const HostFacts = z.strictObject({
  hostname: Name,
  agent_version: Name,
  agent_target: Name,
  os: z.enum(["linux", "macos"]),
  os_name: Name.nullable(),
  kernel: Name.nullable(),
  arch: z.enum(["x86_64", "aarch64", "arm"]),
  board: Name.nullable(),
  cpu_model: Name.nullable(),
  cpus_online: Count.nullable(),
  cores_physical: Count.nullable(),
  cpu_max_khz: Count.nullable(),
  memory_bytes: Count.nullable(),
  governor: Name.nullable(),
  turbo: z.boolean().nullable(),
  mitigations: z.record(Name, Name).nullable(),
  virtualization: Name.nullable(),
  temperature_millic: z.int().nullable(),
  throttle_flags: z.int().min(0).nullable(),
  nofile_soft: Count.nullable(),
  nofile_hard: Count.nullable(),
  compiler: Name.nullable(),
  /** Null when trials run in a network namespace of their own, else why not. */
  unsandboxed_reason: Message.nullable(),
  boot_id: Name,
  checks: z.array(DoctorCheck).max(64),
  /** Two threads a core are in use. */
  smt: z.boolean().nullable().default(null),
  /** Transparent huge pages: the setting in brackets, such as `madvise`. */
  thp: Name.nullable().default(null),
  /** Address space randomization, as in /proc/sys/kernel/randomize_va_space. */
  aslr: z.int().min(0).nullable().default(null),
  noise: HostNoise.nullable().default(null),
  calibration: HostCalibration.nullable().default(null),
  /** Absent where the host's owner lets no run ask for tuning, and in a run's environment. Nothing but the owner's own setting makes it. */
  tune: HostTune.optional(),
  /** What the host's owner forbids to runs from the app, a phrase each. Absent where there is no such file, and in a run's environment. */
  owner_rules: z.array(Message).max(16).optional(),
});

const supported = {
  supported: z.boolean(),
  /** Why it does not work here; null when it does. */
  reason: Message.nullable(),
  /** The command or act that would make it work. */
  fix: Message.nullable(),
};

export const ServerOption = z.strictObject({ default: z.int(), min: z.int(), max: z.int() });

export const CatalogueServer = z.strictObject({
  name: Slug,
  title: Name,
  language: Name,
  summary: Message,
  license: Name,
  workloads: z.array(Workload).max(16),
  options: z.record(Slug, ServerOption),
  content_hash: Sha256,
  /** It compiles while it runs, so its first seconds are slower. Agents before this was told do not say. */
  jit: z.boolean().optional(),
  /** A run may name a commit of it: it is the host's owner's, in a git clone. Absent of all others, and from agents that take none. */
  revisions: z.boolean().optional(),
  ...supported,
});
export const CatalogueScenario = z.strictObject({
  scenario: Scenario,
  /** Which numbers a run may set, as in `NAME:connections=200`. Absent from agents that take none. */
  settable: z.array(NumberName).max(8).optional(),
  ...supported,
});
export const CatalogueTool = z.strictObject({ name: ToolName, version: Name.nullable(), ...supported });

/** What works on this host, and why the rest does not. The new-run page is made from it. */
export const Catalogue = z.strictObject({
  servers: z
    .array(CatalogueServer)
    .max(200)
    .refine((s) => unique(s.map((one) => one.name)), "two servers have the same name"),
  scenarios: z
    .array(CatalogueScenario)
    .max(500)
    .refine((s) => unique(s.map((one) => one.scenario.id)), "two scenarios have the same name"),
  tools: z
    .array(CatalogueTool)
    .max(50)
    .refine((t) => unique(t.map((one) => one.name)), "two tools have the same name"),
  /** Whether one can be run whole follows from its servers and scenarios. */
  suites: z
    .array(Suite)
    .max(50)
    .refine((s) => unique(s.map((one) => one.id)), "two suites have the same name")
    .default([]),
});

export type DoctorCheck = z.infer<typeof DoctorCheck>;
export type HostNoise = z.infer<typeof HostNoise>;
export type HostCalibration = z.infer<typeof HostCalibration>;
export type HostFacts = z.infer<typeof HostFacts>;
export type HostTune = z.infer<typeof HostTune>;
export type Catalogue = z.infer<typeof Catalogue>;
export type CatalogueServer = z.infer<typeof CatalogueServer>;
export type CatalogueScenario = z.infer<typeof CatalogueScenario>;
export type CatalogueTool = z.infer<typeof CatalogueTool>;
/** For callers that build quantities. */
export { Quantity };
