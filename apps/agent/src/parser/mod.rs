//! From what a tool left behind to a result or a typed error. Pure, one file a tool, tested on the real recordings in
//! `tool_output/<tool>/<case>/`. What a tool did not print is `None`; a figure that makes no sense is an error.

pub mod ab;
pub mod autocannon;
pub mod h2load;
pub mod k6;
pub mod k6_ws;
pub mod loadgen;
mod number;
pub mod wrk;

#[cfg(test)]
pub(crate) mod recording;
#[cfg(test)]
mod tests;

use crate::tool::output::{ParseError, ProcessExit, ToolOutput};

const DETAIL_CHARS: usize = 300;
/// What follows a tool's own last words.
const SEE_LOG: &str = "; see the run's log.";

/// `Ok` when the tool ended with 0 or one of `also`.
fn ended(tool: &'static str, output: &ToolOutput, also: &[i32]) -> Result<(), ParseError> {
    match output.exit {
        ProcessExit::Signal(signal) => Err(ParseError::Killed { tool, signal }),
        ProcessExit::Code(code) if code == 0 || also.contains(&code) => Ok(()),
        ProcessExit::Code(code) => Err(ParseError::Exit {
            tool,
            code,
            detail: format!("{}{SEE_LOG}", last_words(output).trim_end_matches('.')),
        }),
    }
}

/// The last line of stderr, else of stdout, else a stand-in.
fn last_words(output: &ToolOutput) -> String {
    [&output.stderr, &output.stdout]
        .into_iter()
        .find_map(|text| text.lines().map(str::trim).rfind(|l| !l.is_empty()))
        .map_or_else(|| "it printed nothing".to_owned(), plain)
}

/// One line of foreign text, short and without control characters.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(DETAIL_CHARS)
        .collect()
}
