import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { generate } from "../generate";
import { paths, root } from "../paths";
import { formats as serverFormats, lints as serverLints } from "../rust-servers";
import {
  beside,
  command,
  failed,
  needsProgram,
  passed,
  runSuites,
  type Sequence,
  type Suite,
} from "../suite";
import { findBreaches } from "./boundaries";
import { composeFiles, composeProblems } from "./compose";
import { longFiles } from "./long-files";
import { scripts } from "./scripts";
import { inWords, retiredWords } from "./words/index";
import { spelling } from "./words/spelling";

const boundaries: Suite = {
  name: "boundaries",
  run: async () => {
    const breaches = findBreaches();
    return breaches.length === 0
      ? passed
      : failed(breaches.map((b) => `${b.file} imports ${b.imports}: ${b.why}`).join("\n"));
  },
};

/** The Compose schema and the names in the files; no Docker is needed. */
const compose: Suite = {
  name: "docker-compose.yml",
  run: async () => {
    const problems = composeFiles().flatMap((file) => composeProblems(file));
    return problems.length === 0 ? passed : failed(problems.join("\n"));
  },
};

/** The manifests against the API's own schemas, which travel as a Python package; no cluster is needed. */
const kubernetes = (): Suite => {
  const folder = join(root, "deploy", "kubernetes");
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => join(folder, name));
  const program = join(paths.tools, "kubernetes", "bin", "kubernetes-validate");
  return command("deploy/kubernetes", [program, "--strict", "--quiet", ...files], {
    needs: () => (existsSync(program) ? null : "the schemas of Kubernetes could not be installed"),
  });
};

const words: Suite = {
  name: "words",
  run: async () => {
    const found = retiredWords();
    return found.length === 0 ? passed : failed(found.map(inWords).join("\n"));
  },
};
const lengths: Suite = {
  name: "length of files",
  run: async () => {
    const found = longFiles();
    return found.length === 0 ? passed : failed(found.join("\n"));
  },
};
const generated: Suite = { name: "generated code", run: async () => generate().then(() => passed) };

/** The agent for the M1. Nothing is linked, so the C of a dependency need not be compiled: `true` stands in for its compiler. */
export function darwin(): Suite {
  const target = "aarch64-apple-darwin";
  const stand = Object.fromEntries(
    ["CC", "AR", "RANLIB"].map((name) => [`${name}_${target.replaceAll("-", "_")}`, "/usr/bin/true"]),
  );
  const check = command(
    `agent for ${target}`,
    ["cargo", "clippy", "--locked", "-p", "rigmark", "--target", target, "--", "-D", "warnings"],
    { env: stand },
  );
  const add = command(`target ${target}`, ["rustup", "target", "add", target], {
    needs: needsProgram("rustup", "it adds the target"),
  });
  return {
    name: check.name,
    run: async () => {
      const added = await add.run();
      return added.status === "passed" ? check.run() : added;
    },
  };
}

const biome = (): Suite =>
  command("biome", [`${root}/node_modules/.bin/biome`, "check", "--no-errors-on-unmatched", "."]);
/** Unused code that only a person can judge is not looked for: much of it is reached by name. */
const unusedDependencies = (): Suite =>
  command("unused dependencies", [
    `${root}/node_modules/.bin/knip`,
    ...["--include", "dependencies,unlisted", "--no-progress", "--no-config-hints"],
  ]);
const format = (): Suite => command("cargo fmt", ["cargo", "fmt", "--all", "--check"]);
export const types = (): Suite =>
  command("types", [
    `${root}/node_modules/.bin/turbo`,
    "run",
    "typecheck",
    "--env-mode=loose",
    "--continue",
    "--output-logs=errors-only",
    "--no-color",
    "--concurrency=2",
  ]);

/** What takes seconds once everything is built. */
export const quickChecks = (): Suite[] => [
  compose,
  boundaries,
  words,
  lengths,
  biome(),
  format(),
  generated,
  types(),
];

/** What takes a minute; what is wrong there is known first. */
export const cheapChecks = (): (Suite | readonly Sequence[])[] => [
  compose,
  boundaries,
  words,
  lengths,
  beside(
    [
      spelling,
      command("shellcheck", ["shellcheck", "-x", "-a", "-e", "SC3045", ...scripts()], {
        needs: needsProgram("shellcheck", "the system's package has it"),
      }),
      biome(),
      unusedDependencies(),
      format(),
      kubernetes(),
    ],
    [generated],
  ),
];

/** What compiles Rust for nothing but its warnings. */
const rustChecks = (): Suite[] => [
  command("clippy", ["cargo", "clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"]),
  darwin(),
];

/** What compiles TypeScript beside what compiles Rust. */
export const checks = (): (Suite | readonly Sequence[])[] => [
  ...cheapChecks(),
  beside([types(), ...serverFormats(), ...serverLints()], rustChecks()),
];

export async function run(): Promise<number> {
  return runSuites(checks());
}
