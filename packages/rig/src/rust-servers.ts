import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { linting } from "./build/linting";
import { paths, root } from "./paths";
import { command, type Suite } from "./suite";

/** Servers in Rust stand outside the workspace, because each is hashed and shipped alone. */
function folders(): string[] {
  return readdirSync(join(root, "servers")).filter((name) =>
    existsSync(join(root, "servers", name, "Cargo.toml")),
  );
}

/** One for all of them: what they share is compiled once. */
const target = ["--target-dir", join(paths.target, "servers")] as const;

export const formats = (): Suite[] =>
  folders().map((name) =>
    command(`cargo fmt of servers/${name}`, ["cargo", "fmt", "--check"], {
      cwd: join(root, "servers", name),
    }),
  );

export const lints = (): Suite[] =>
  folders().map((name) =>
    command(
      `clippy of servers/${name}`,
      ["cargo", "clippy", "--all-targets", "--locked", ...target, "--", "-D", "warnings"],
      { cwd: join(root, "servers", name) },
    ),
  );

/** They fail for a lint, too. */
export const tests = (): Suite[] =>
  folders().map((name) =>
    command(`tests of servers/${name}`, ["cargo", "test", "--locked", "--quiet", ...target], {
      cwd: join(root, "servers", name),
      // Not in their Cargo.toml: users build them with newer compilers, which may warn of more.
      env: { ...linting, RUSTFLAGS: "-D warnings" },
    }),
  );
