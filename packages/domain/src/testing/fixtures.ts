import type { Catalogue, HostFacts, RunSpec, Scenario } from "@rigmark/protocol";

const HASH = "ab".repeat(32);

export const FACTS: HostFacts = {
  hostname: "pi4-in-the-attic",
  agent_version: "0.1.0",
  agent_target: "aarch64-unknown-linux-musl",
  os: "linux",
  os_name: "Debian GNU/Linux 12 (bookworm)",
  kernel: "6.6.31+rpt-rpi-v8",
  arch: "aarch64",
  board: "Raspberry Pi 4 Model B Rev 1.4",
  cpu_model: "Cortex-A72",
  cpus_online: 4,
  cores_physical: 4,
  cpu_max_khz: 1_800_000,
  memory_bytes: 4_013_957_120,
  governor: "ondemand",
  turbo: null,
  mitigations: { spectre_v2: "Vulnerable" },
  virtualization: null,
  temperature_millic: 48_200,
  throttle_flags: 0,
  nofile_soft: 1024,
  nofile_hard: 1_048_576,
  compiler: "gcc 12.2.0",
  unsandboxed_reason: null,
  boot_id: "6f1c3c0e-9a52-4f6e-8d36-3c1f6a0c9b11",
  smt: false,
  thp: "madvise",
  aslr: 2,
  noise: null,
  calibration: null,
  checks: [
    {
      id: "governor",
      title: "CPU governor",
      status: "warn",
      found: "ondemand",
      why: "The clock follows the load.",
      fix: "cpupower frequency-set -g performance",
    },
    { id: "memory", title: "Memory", status: "ok", found: "3.7 GiB", why: null, fix: null },
  ],
};

export const SCENARIO: Scenario = {
  schema: 1,
  id: "static-1k-ab",
  title: "1 KB file, ab, 32 connections",
  summary: "Closed loop with keep-alive.",
  workload: "static",
  tool: "ab",
  path: "/1k.bin",
  body_bytes: 1024,
  load: { kind: "closed", connections: 32, keep_alive: true },
  duration_s: 10,
  warmup_s: 1,
};

const server = (name: string, workloads: Catalogue["servers"][number]["workloads"]) => ({
  name,
  title: name,
  language: "C",
  summary: "One line.",
  license: "Apache-2.0",
  workloads,
  options: { workers: { default: 2, min: 1, max: 64 } },
  content_hash: HASH,
  supported: true,
  reason: null,
  fix: null,
});

export const CATALOGUE: Catalogue = {
  servers: [
    server("epoll", ["plaintext", "static"]),
    server("nginx", ["plaintext", "static"]),
    server("echo", ["ws-echo"]),
    {
      ...server("io-uring", ["plaintext", "static"]),
      supported: false,
      reason: "The kernel has io_uring switched off.",
      fix: "sysctl kernel.io_uring_disabled=0",
    },
  ],
  scenarios: [
    { scenario: SCENARIO, supported: true, reason: null, fix: null },
    {
      scenario: { ...SCENARIO, id: "static-1k-k6", title: "1 KB file, k6", tool: "k6" },
      supported: false,
      reason: "k6 is not installed.",
      fix: "Install the k6 bundle.",
    },
  ],
  tools: [
    { name: "ab", version: "2.3", supported: true, reason: null, fix: null },
    {
      name: "k6",
      version: null,
      supported: false,
      reason: "k6 is not installed.",
      fix: "Install the k6 bundle.",
    },
  ],
  suites: [],
};

export const SPEC: RunSpec = {
  schema: 1,
  title: "epoll and nginx at 1 KB",
  entries: [
    { label: "nginx", server: "nginx", options: {} },
    { label: "epoll", server: "epoll", options: { workers: 2 } },
  ],
  scenarios: ["static-1k-ab"],
  repeats: 5,
  duration_s: 3,
  warmup_s: null,
  baseline: "nginx",
  seed: 42,
  suite: null,
  slice_s: null,
  precision: null,
  max_repeats: null,
};
