// See Cargo.toml.
