//! What the agent's own children (`rigmark internal …`) print, a line at a time, for the parent that reads it. What a person reads
//! is printed by `cli::output`.

use std::io::{self, Write};

/// Where it cannot be written, nobody is there to read it.
pub fn line(text: &str) {
    let mut stdout = io::stdout().lock();
    let _ = writeln!(stdout, "{text}").and_then(|()| stdout.flush());
}
