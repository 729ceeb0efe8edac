/**
 * Environment for cargo: Clippy is the compiler of the workspace, and lints while it compiles. `cargo clippy` would compile
 * everything a second time. Cargo.toml says which lints are errors. Without this, the same cargo command builds anew.
 */
export const linting = { RUSTC_WORKSPACE_WRAPPER: "clippy-driver" } as const;
