import type { Environment, HostFacts } from "@rigmark/protocol";

/** What stands where something is hidden. */
export const HIDDEN = "[host]";

/**
 * What a report says of its host, field by field: one that is new in the protocol is in no report before it is decided
 * here. Applied when a report is made and again when it is read, since older ones have what is left out now.
 */
export const published = (environment: Environment): Environment => ({
  facts: publishedFacts(environment.facts),
  tools: environment.tools,
  load1_before: environment.load1_before,
  sandboxed: environment.sandboxed,
  control_plane_same_host: environment.control_plane_same_host,
  fingerprint: environment.fingerprint,
  tuned: environment.tuned,
  core_split: environment.core_split,
});

const publishedFacts = (facts: HostFacts): HostFacts => ({
  hostname: facts.hostname,
  agent_version: facts.agent_version,
  agent_target: facts.agent_target,
  os: facts.os,
  os_name: facts.os_name,
  kernel: facts.kernel,
  arch: facts.arch,
  board: facts.board,
  cpu_model: facts.cpu_model,
  cpus_online: facts.cpus_online,
  cores_physical: facts.cores_physical,
  cpu_max_khz: facts.cpu_max_khz,
  memory_bytes: facts.memory_bytes,
  governor: facts.governor,
  turbo: facts.turbo,
  mitigations: facts.mitigations,
  virtualization: facts.virtualization,
  temperature_millic: facts.temperature_millic,
  throttle_flags: facts.throttle_flags,
  nofile_soft: facts.nofile_soft,
  nofile_hard: facts.nofile_hard,
  compiler: facts.compiler,
  // The label `unsandboxed` has the same sentence.
  unsandboxed_reason: facts.unsandboxed_reason,
  // It tells one boot of a machine from all others, wherever it is read.
  boot_id: HIDDEN,
  // The doctor's findings are for the host's owner: they name paths, programs and limits, and no page shows them.
  checks: [],
  smt: facts.smt,
  thp: facts.thp,
  aslr: facts.aslr,
  noise: facts.noise,
  calibration: facts.calibration,
});
