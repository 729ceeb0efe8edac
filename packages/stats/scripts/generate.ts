/**
 * Builds the crate as WebAssembly and writes it as base64 to `pkg/wasm.ts`, so that bundlers see nothing but
 * TypeScript. Installs the compile target when it is missing, and says so.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TARGET = "wasm32-unknown-unknown";
const PROFILE = "wasm";

function run(command: string, args: string[]): string {
  return execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** Without rustup nobody can say: the build will. */
function targetIsInstalled(): boolean {
  try {
    return run("rustup", ["target", "list", "--installed"]).split("\n").includes(TARGET);
  } catch {
    return true;
  }
}

function generate(): string {
  if (!targetIsInstalled()) {
    process.stderr.write(`The Rust target ${TARGET} is missing: installing it with rustup.\n`);
    run("rustup", ["target", "add", TARGET]);
  }
  // Asked for here and not in Cargo.toml: the agent's static targets know no cdylib.
  const as = ["--lib", "--crate-type", "cdylib", "--profile", PROFILE, "--target", TARGET];
  run("cargo", ["rustc", "--quiet", "-p", "rigmark-stats", ...as]);
  const metadata: { target_directory: string } = JSON.parse(
    run("cargo", ["metadata", "--format-version", "1", "--no-deps"]),
  );
  const wasm = readFileSync(join(metadata.target_directory, TARGET, PROFILE, "rigmark_stats.wasm"));
  mkdirSync("pkg", { recursive: true });
  const text = `/** Made by scripts/generate.ts from src/. */\nexport const WASM_BASE64 =\n  "${wasm.toString("base64")}";\n`;
  writeFileSync(join("pkg", "wasm.ts"), text);
  return `pkg/wasm.ts: ${wasm.length} bytes of WebAssembly\n`;
}

try {
  process.stdout.write(generate());
} catch (error) {
  const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
  const what = missing ? "Rust is not installed: see https://rustup.rs." : String(error);
  process.stderr.write(`The statistics could not be built as WebAssembly. ${what}\n`);
  process.exitCode = 1;
}
