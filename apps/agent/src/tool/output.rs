//! What a tool leaves behind, and why it may be no result. The lowest layer of the load tools: who starts a child, who parses
//! its output and who knows its flags share these types and nothing else.

use std::collections::BTreeMap;

use thiserror::Error;

/// One of a child's two streams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputStream {
    Stdout,
    Stderr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessExit {
    Code(i32),
    Signal(i32),
}

/// All that a finished tool left behind.
#[derive(Debug, Clone)]
pub struct ToolOutput {
    pub exit: ProcessExit,
    pub stdout: String,
    pub stderr: String,
    pub files: BTreeMap<String, String>,
}

/// Why an output is no result. The message says what happened and what to do next.
#[derive(Debug, Error, PartialEq)]
pub enum ParseError {
    #[error("{tool} could not connect to the server: {detail}; see the server's log for why it stopped listening.")]
    Refused { tool: &'static str, detail: String },
    #[error("{tool} was ended by signal {signal} before it had printed its result; {}.", after(*.signal))]
    Killed { tool: &'static str, signal: i32 },
    #[error("{tool} ended with exit code {code}: {detail}")]
    Exit {
        tool: &'static str,
        code: i32,
        detail: String,
    },
    #[error("{tool} printed no {what}; its raw output is kept, and this version of {tool} may need a newer agent.")]
    Missing { tool: &'static str, what: &'static str },
    #[error("{tool} printed {what} as {text:?}, which is not a number that makes sense here.")]
    Malformed {
        tool: &'static str,
        what: &'static str,
        text: String,
    },
}

fn after(signal: i32) -> &'static str {
    match signal {
        libc::SIGKILL => {
            "the kernel ends programs in this way when memory runs out: ask for fewer connections, and see `dmesg`"
        }
        _ => "run the trial again",
    }
}

/// All latencies of one run of a tool: HDR histogram V2 in base64, which is added up and never averaged.
#[derive(Debug, Clone, PartialEq)]
pub struct HistogramBlob {
    pub encoding: String,
    pub unit: String,
    pub digits: u32,
    pub resolution_us: f64,
    pub corrected: bool,
    pub count: u64,
    pub blob: String,
}
