//! `rigmark new scenario [FILE]`: a scenario file with comments, to be changed.

use std::io::Write;
use std::path::Path;

use serde_json::json;

use crate::cli::args::NewScenarioArgs;
use crate::cli::{CliError, Env, Exit, output};
use crate::scenario::toml_file::{self, SCHEMA};

const EXAMPLE: &str = include_str!("scenario.toml");

pub fn run(args: &NewScenarioArgs, env: &Env) -> Result<Exit, CliError> {
    if args.schema {
        output::result_written(std::io::stdout().lock().write_all(SCHEMA.as_bytes()));
        return Ok(Exit::Done);
    }
    let file = &args.file;
    if file.extension().is_none_or(|e| e != "toml") {
        let message = format!("{} must end with .toml.", file.display());
        return Err(CliError::usage("name", message));
    }
    // What is written here must be read by every other command: the name too.
    let scenario = toml_file::parse(EXAMPLE, file)?;
    write(file, args.force)?;
    env.out
        .object(&json!({ "file": file.to_string_lossy(), "scenario": scenario.id }));
    env.out
        .line(&format!("Wrote {}. Change its requests, then run:", file.display()));
    env.out.line(&format!(
        "  rigmark run --server base=A --server head=B --scenario {}",
        super::server::shown(file)
    ));
    Ok(Exit::Done)
}

/// Without `force` it replaces no file, also none that appeared meanwhile.
fn write(file: &Path, force: bool) -> Result<(), CliError> {
    let mut options = std::fs::File::options();
    options.write(true).truncate(true);
    let opened = match force {
        true => options.create(true).open(file),
        false => options.create_new(true).open(file),
    };
    let failed = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::AlreadyExists => {
            let message = format!(
                "{} already exists; change it by hand, or replace it with --force.",
                file.display()
            );
            CliError::usage("exists", message)
        }
        _ => CliError::failed("write", format!("{} could not be written ({e}).", file.display())),
    };
    opened.map_err(failed)?.write_all(EXAMPLE.as_bytes()).map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every line that is switched off is right too.
    #[test]
    fn the_example_is_read_also_with_everything_that_it_shows() {
        let path = Path::new("load.toml");
        toml_file::parse(EXAMPLE, path).unwrap();
        let shown: String = EXAMPLE
            .lines()
            .map(|line| line.strip_prefix("#: ").unwrap_or(line))
            .collect::<Vec<_>>()
            .join("\n");
        let all = toml_file::parse(&shown, path).unwrap();
        let http = all.http.unwrap();
        assert_eq!(http.requests.len(), 3);
        assert!(http.same_but_for.is_some() && http.requests[1].expect.is_some());
    }
}
