/**
 * Clippy compiles what it reads, so a build under it costs a tenth more; `cargo clippy` would compile everything again only for
 * the lints. Which ones are errors stands in Cargo.toml. Commands that share what they built share this.
 */
export const linting = { RUSTC_WORKSPACE_WRAPPER: "clippy-driver" } as const;
