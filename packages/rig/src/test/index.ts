import { existsSync, readdirSync, readFileSync } from "node:fs";
import { arch } from "node:os";
import { join } from "node:path";
import { debugAgent } from "../build/debug-agent";
import { linting } from "../build/linting";
import { buildWeb } from "../build/web";
import { cheapChecks, darwin, quickChecks, types } from "../check/index";
import { findChromium } from "../chromium";
import { paths, root } from "../paths";
import { release } from "../release/index";
import { TARGETS, targetOf } from "../release/targets";
import { formats as serverFormats, tests as serverTests } from "../rust-servers";
import {
  beside,
  command,
  gently,
  needsProgram,
  type Outcome,
  once,
  passed,
  runSuites,
  type Sequence,
  type Suite,
  skipped,
} from "../suite";
import { forgetPassed, unlessUnchanged } from "../unchanged";

/** Everything, the cheap things first, so that what is wrong is known early. Each thing is built once. */
export async function run(argv: string[]): Promise<number> {
  if (argv.includes("--fresh")) forgetPassed();
  if (argv.includes("--fast")) return runSuites(fast());
  return runSuites([
    ...cheapChecks(),
    // Types and build of the web app write the same folder. What waits below waits for this agent.
    beside(
      [types()],
      [{ name: "the agent and its tests, built and linted", run: () => debugAgent().then(() => passed) }],
    ),
    // Each sequence waits long, for windows of load, timeouts, PostgreSQL or a page; meanwhile another one computes. The
    // journeys take longest and wait for the web app, so what only computes gives way.
    beside(
      gently([released, ...serverFormats(), ...serverTests()]),
      // They read docs, servers and more, so each change runs them all again.
      gently(packages().map((suite) => unlessUnchanged(suite, ["."]))),
      gently([rustTests(), ...assembly(), darwin()]),
      [...contract(), ...faults()],
      [
        { name: "web app, production build", run: () => buildWeb().then(() => passed) },
        journeys,
        journeyOfRelease,
      ],
    ),
  ]);
}

/** They read servers, scenarios, messages, the protocol's examples and docs, but none of these folders. */
const rustTests = (): Suite =>
  unlessUnchanged(
    command("cargo test", ["cargo", "test", "--workspace", "--locked", "--quiet", "--no-fail-fast"], {
      env: { RUST_TEST_THREADS: "4", ...linting },
    }),
    [
      ".",
      ...["apps/web", "e2e", "research"].map((folder) => `:!${folder}`),
      ...["api", "db", "domain", "results"].map((name) => `:!packages/${name}`),
    ],
  );

/** While editing: what a change breaks most often; builds nothing for long and starts no database and no browser. */
const fast = (): (Suite | readonly Sequence[])[] => [
  ...quickChecks(),
  beside(packages(QUICK_PACKAGES), [
    command(
      "quick tests of the agent and stats",
      ["cargo", "test", "--workspace", "--locked", "--quiet", "--lib"],
      { env: linting },
    ),
  ]),
];
const QUICK_PACKAGES = new Set(["metrics", "protocol", "scenarios", "stats"]);

/** One suite a package that has tests. */
function packages(only?: ReadonlySet<string>): Suite[] {
  const names = readdirSync(join(root, "packages")).filter((name) => only?.has(name) ?? true);
  const folders = [...(only ? [] : ["apps/web", "research"]), ...names.map((name) => `packages/${name}`)];
  return folders.flatMap((folder) => {
    const file = join(root, folder, "package.json");
    if (!existsSync(file)) return [];
    const { name, scripts } = JSON.parse(readFileSync(file, "utf8")) as {
      name: string;
      scripts?: { test?: string };
    };
    if (!scripts?.test) return [];
    return [
      command(`tests of ${name}`, ["pnpm", "run", "test", "--passWithNoTests"], { cwd: join(root, folder) }),
    ];
  });
}

/** The same inputs each time: a fault that only some draws show is found by a search, and not by whoever changes something else. */
const seed = ["--seed", "20261122"] as const;

/** What a server has 5 s for takes longer where other programs or a hypervisor have the processors. */
const patient = ["--slower", "4"] as const;

const check = join(root, "servers", "conformance", "check.py");

/** Each server against servers/CONTRACT.md. */
const contract = (): Suite[] => [
  conformance("servers: conformance", [check, "--all", ...patient, ...seed], ["servers"]),
];

/** The faults of the test servers, each of which must be found. */
const faults = (): Suite[] => [
  conformance(
    "servers: faults are found",
    [check, "--fixtures", ...patient, ...seed],
    ["servers/conformance"],
  ),
];

/** The half of servers/asm that this machine does not run by itself, and both halves under drawn inputs. */
function assembly(): Suite[] {
  const fuzz = join(root, "servers", "conformance", "fuzz.py");
  const many = [fuzz, "asm", "--inputs", "20000", ...seed];
  const foreign = ["--wrap", "qemu-aarch64-static -cpu cortex-a72", "--make", "ARCH=aarch64"];
  foreign.push("--make", "CC=aarch64-linux-gnu-gcc");
  const qemu = () =>
    needsProgram("qemu-aarch64-static", "Debian: apt install qemu-user-static")() ??
    needsProgram("aarch64-linux-gnu-gcc", "Debian: apt install gcc-aarch64-linux-gnu")();
  const reads = ["servers/asm", "servers/conformance"];
  return [
    conformance(
      "servers: asm for aarch64, under qemu",
      [check, "asm", ...patient, ...seed, ...foreign],
      reads,
      qemu,
    ),
    conformance("servers: asm for aarch64, drawn inputs", [...many, ...foreign], reads, qemu),
    conformance("servers: asm, drawn inputs", many, reads),
  ];
}

/** A program of servers/conformance, which builds and verifies servers with the agent. */
function conformance(name: string, args: string[], reads: string[], needs?: () => string | null): Suite {
  const python = needsProgram("python3", "the system's package has it");
  const suite = async () => {
    const missing = python() ?? needs?.();
    if (missing) return skipped(missing);
    return command(name, ["python3", ...args], { env: { RIGMARK_AGENT: await debugAgent() } }).run();
  };
  return unlessUnchanged({ name, run: suite }, [...reads, "apps/agent/src", "packages/scenarios/scenarios"]);
}

const zig = join(paths.tools, "bin", "cargo-zigbuild");

const released = once(
  unlessUnchanged(
    {
      name: "release: static agent for aarch64, k6, checksums",
      run: async () => {
        if (!existsSync(zig)) return skipped("there is no cross compiler here");
        // The other processor's, which a journey runs under qemu; x86-64 differs in nothing that is packed. k6 for this machine
        // is built already; for another it takes minutes, and nothing here would run it.
        await release({
          folder: paths.testRelease,
          profile: "release-test",
          targets: [targetOf("aarch64-unknown-linux-musl")],
          k6: TARGETS.filter(
            ({ os, arch: of }) => os === "linux" && of === (arch() === "arm64" ? "aarch64" : "x86_64"),
          ),
          servers: ["asm"],
        });
        return passed;
      },
    },
    [
      ...["apps/agent", "servers", "deploy", "Cargo.toml", "Cargo.lock", ".cargo", "LICENSE", "NOTICE"],
      ...["packages/stats", "packages/scenarios", "packages/protocol", "packages/metrics"],
      "packages/rig/sh",
    ],
    [paths.testRelease],
  ),
);
/** In Chromium, with a real agent, real servers and real tools. The app has nothing to install, so none waits for a release. */
const journeys: Suite = {
  name: "journeys in the browser",
  run: () => journey("journeys", ["--exclude", INSTALLS], paths.noRelease),
};

const journeyOfRelease: Suite = {
  name: "journeys in the browser: a release for another processor",
  run: async () => {
    const { status } = await released.run();
    if (status !== "passed") return skipped("there is no release to install");
    return journey("journeys-release", [INSTALLS], paths.testRelease);
  },
};

const INSTALLS = "test/arm64.test.ts";

async function journey(log: string, args: string[], release: string): Promise<Outcome> {
  const chromium = findChromium();
  if (!chromium) return skipped("there is no Chromium here; CHROMIUM may name one");
  // The servers' suites need the same build.
  const agent = await debugAgent();
  return command(log, ["pnpm", "run", "journeys", ...args], {
    cwd: join(root, "e2e"),
    env: { CHROMIUM: chromium, RIGMARK_AGENT: agent, RIGMARK_RELEASE: release },
  }).run();
}
