/** What a release is made for, and what each toolchain calls it. */
export interface Target {
  /** What the agent's archive is named after, as Rust says it. */
  agent: string;
  /** The same for prebuilt servers: they use the host's C library, as when the host builds them. */
  servers: string;
  os: "linux" | "macos";
  /** As a server.toml says it. */
  arch: "aarch64" | "x86_64" | "arm";
  /** For zig. glibc 2.28 is that of Debian 10, and every distribution in support has a newer one. */
  zig: readonly string[];
  go: { GOOS: string; GOARCH: string; GOARM?: string };
  /** What k6's archive is named after. */
  k6: string;
}

export const TARGETS: readonly Target[] = [
  {
    agent: "aarch64-unknown-linux-musl",
    servers: "aarch64-unknown-linux-gnu",
    os: "linux",
    arch: "aarch64",
    zig: ["-target", "aarch64-linux-gnu.2.28"],
    go: { GOOS: "linux", GOARCH: "arm64" },
    k6: "linux-arm64",
  },
  {
    agent: "x86_64-unknown-linux-musl",
    servers: "x86_64-unknown-linux-gnu",
    os: "linux",
    arch: "x86_64",
    zig: ["-target", "x86_64-linux-gnu.2.28"],
    go: { GOOS: "linux", GOARCH: "amd64" },
    k6: "linux-amd64",
  },
  {
    // Not musl: Rust's standard library for it is not everywhere to be had.
    agent: "armv7-unknown-linux-gnueabihf",
    servers: "armv7-unknown-linux-gnueabihf",
    os: "linux",
    arch: "arm",
    zig: ["-target", "arm-linux-gnueabihf.2.28", "-mcpu=generic+v7a+vfp3d16"],
    go: { GOOS: "linux", GOARCH: "arm", GOARM: "7" },
    k6: "linux-arm",
  },
  {
    agent: "aarch64-apple-darwin",
    servers: "aarch64-apple-darwin",
    os: "macos",
    arch: "aarch64",
    zig: ["-target", "aarch64-macos"],
    go: { GOOS: "darwin", GOARCH: "arm64" },
    k6: "macos-arm64",
  },
  {
    agent: "x86_64-apple-darwin",
    servers: "x86_64-apple-darwin",
    os: "macos",
    arch: "x86_64",
    zig: ["-target", "x86_64-macos"],
    go: { GOOS: "darwin", GOARCH: "amd64" },
    k6: "macos-amd64",
  },
];

export const targetOf = (agent: string): Target => {
  const found = TARGETS.find((target) => target.agent === agent);
  if (!found) throw new Error(`there is no target ${agent}`);
  return found;
};
