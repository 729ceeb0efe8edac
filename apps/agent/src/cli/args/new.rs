//! What can be typed after `rigmark new`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Args)]
pub struct NewArgs {
    #[command(subcommand)]
    pub what: NewCommand,
}

#[derive(Debug, Subcommand)]
pub enum NewCommand {
    /// Write a server.toml for the server in a folder
    Server(NewServerArgs),
    /// Write a scenario file with requests of your own
    Scenario(NewScenarioArgs),
}

#[derive(Debug, Args)]
pub struct NewServerArgs {
    /// The folder of the server
    #[arg(value_name = "FOLDER", default_value = ".")]
    pub folder: PathBuf,
    /// What the server is called [default: the folder's name]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Replace a server.toml that is there
    #[arg(long)]
    pub force: bool,
    /// Print the JSON Schema of server.toml, for editors, and write nothing
    #[arg(long)]
    pub schema: bool,
}

#[derive(Debug, Args)]
pub struct NewScenarioArgs {
    /// Where it is written; its name without .toml is the scenario's
    #[arg(value_name = "FILE", default_value = "load.toml")]
    pub file: PathBuf,
    /// Replace a file that is there
    #[arg(long)]
    pub force: bool,
    /// Print the JSON Schema of scenario files, for editors, and write nothing
    #[arg(long)]
    pub schema: bool,
}
