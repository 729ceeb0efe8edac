//! Reads a summary input as JSON from standard input and writes the summary, indented: how `golden/*.output.json` are
//! made.
//!
//!     cargo run -p rigmark-stats --example summarize < golden/NAME.input.json > golden/NAME.output.json

use std::io::{Read, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut json = String::new();
    std::io::stdin().read_to_string(&mut json)?;
    let summary = rigmark_stats::summarize(&serde_json::from_str(&json)?)?;
    writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&summary)?)?;
    Ok(())
}
