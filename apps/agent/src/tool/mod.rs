//! The load tools. A tool is one file that knows its flags and what it is like, one parser that knows its output, and one arm in
//! [`tool`] and in [`profile`].
//!
//! docs/architecture.md says what the next one needs ("Where does the next one go?").

pub mod ab;
pub mod autocannon;
mod error;
pub mod h2load;
mod job;
pub mod k6;
mod k6_script;
mod load_tool;
pub mod loadgen;
pub mod output;
pub mod profile;
mod requests;
mod support;
pub mod wrk;

use crate::assets::Assets;
use crate::protocol::catalogue::CatalogueTool;
use crate::protocol::spec::ToolName;
pub use error::ToolError;
pub use job::{ToolCommand, ToolJob};
pub use load_tool::Tool;
use profile::Profile;

/// Finds the tool's program; whether it works is [`Tool::probe`]'s result.
pub fn tool(name: ToolName, assets: &Assets) -> Box<dyn Tool> {
    match name {
        ToolName::Ab => Box::new(ab::Ab::new()),
        ToolName::Autocannon => Box::new(autocannon::Autocannon::new(assets)),
        ToolName::H2load => Box::new(h2load::H2load::new()),
        ToolName::K6 => Box::new(k6::K6::new(assets)),
        ToolName::Wrk => Box::new(wrk::Wrk::new(assets)),
        ToolName::Loadgen => Box::new(loadgen::Loadgen::new()),
    }
}

/// What the tool is like, installed or not.
pub fn profile(name: ToolName) -> &'static Profile {
    match name {
        ToolName::Ab => &ab::PROFILE,
        ToolName::Autocannon => &autocannon::PROFILE,
        ToolName::H2load => &h2load::PROFILE,
        ToolName::K6 => &k6::PROFILE,
        ToolName::Wrk => &wrk::PROFILE,
        ToolName::Loadgen => &loadgen::PROFILE,
    }
}

/// The tools that send a scenario file's own requests.
pub fn that_take_own_requests() -> impl Iterator<Item = ToolName> {
    ToolName::ALL
        .into_iter()
        .filter(|name| profile(*name).takes_own_requests)
}

/// The tool of a scenario file that names none: the one that is always there, or that which runs scripts.
pub fn for_own_requests(script: bool) -> ToolName {
    if script { ToolName::K6 } else { ToolName::Loadgen }
}

/// What of the tools works here. Starts each once, with its version flag.
pub fn catalogue(assets: &Assets) -> Vec<CatalogueTool> {
    ToolName::ALL.iter().map(|name| tool(*name, assets).probe()).collect()
}
