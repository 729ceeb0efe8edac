//! `rigmark man`: the manual pages, from the same definition as the help.

use std::io::{self, Write};
use std::path::Path;

use clap::{Command, CommandFactory};
use clap_mangen::Man;
use serde_json::json;

use super::args::{Cli, ManArgs};
use super::output::result_written;
use super::{CliError, Env, Exit};

pub fn run(args: &ManArgs, env: &Env) -> Result<Exit, CliError> {
    let command = Cli::command();
    let Some(folder) = &args.folder else {
        let mut page = Vec::new();
        let drawn = Man::new(command).render(&mut page);
        drawn.expect("a vector takes everything");
        let mut stdout = io::stdout().lock();
        result_written(stdout.write_all(&page).and_then(|()| stdout.flush()));
        return Ok(Exit::Done);
    };
    let written = write_all(command, folder).map_err(|error| {
        let folder = folder.display();
        CliError::failed(
            "man",
            format!("The pages could not be written to {folder} ({error}); name another folder."),
        )
    })?;
    env.out.object(&json!({ "files": written }));
    written.iter().for_each(|name| env.out.line(name));
    Ok(Exit::Done)
}

/// `rigmark.1`, and `rigmark-run.1` for each command that stands in the help.
fn write_all(mut command: Command, folder: &Path) -> io::Result<Vec<String>> {
    std::fs::create_dir_all(folder)?;
    command.build();
    let mut written = Vec::new();
    let commands: Vec<Command> = command.get_subcommands().cloned().collect();
    let named = |sub: &Command| format!("rigmark-{}", sub.get_name());
    let pages = commands
        .iter()
        .filter(|sub| !sub.is_hide_set() && sub.get_name() != "help")
        // clap takes names that live as long as the program.
        .map(|sub| (named(sub), sub.clone().name(&*named(sub).leak())));
    for (name, page) in std::iter::once(("rigmark".to_owned(), command.clone())).chain(pages) {
        let file = format!("{name}.1");
        let mut text = Vec::new();
        Man::new(page).render(&mut text)?;
        std::fs::write(folder.join(&file), text)?;
        written.push(file);
    }
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_help_has_a_page_that_says_its_options() {
        let dir = tempfile::tempdir().unwrap();
        let files = write_all(Cli::command(), dir.path()).unwrap();
        for page in ["rigmark.1", "rigmark-run.1", "rigmark-publish.1"] {
            assert!(files.iter().any(|f| f == page), "{files:?}");
        }
        assert!(!files.iter().any(|f| f.contains("internal")), "{files:?}");
        let text = std::fs::read_to_string(dir.path().join("rigmark-publish.1")).unwrap();
        assert!(
            text.contains(".TH rigmark-publish 1") && text.contains("partial"),
            "{text}"
        );
    }
}
