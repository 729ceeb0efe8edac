//! Names that say which of several things serves.

/// Is it the one that serves, of several programs? By its name, or that of its folder.
pub fn is_server(name: &str) -> bool {
    let last = name.rsplit('/').next().unwrap_or(name);
    let says = |part: &str| part.ends_with("server") || ["serve", "api", "web", "http", "backend"].contains(&part);
    last.split(['-', '_', '.']).any(says)
}
