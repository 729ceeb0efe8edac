//! `rigmark new server [FOLDER]`: looks at what is there and writes a `server.toml` that builds and runs it.

use std::io::Write;
use std::path::Path;

use serde_json::json;

use super::manifest_text::{self, Draft};
use super::project;
use super::sources::Sources;
use crate::cli::args::NewServerArgs;
use crate::cli::output::{Tone, paint};
use crate::cli::{CliError, Env, Exit};
use crate::server::content;
use crate::server::manifest::{FILE_NAME, Manifest, is_slug};

/// Generated from the types that read the file; a test keeps it so.
pub const SCHEMA: &str = include_str!("../../../../../servers/server.schema.json");

pub fn run(args: &NewServerArgs, env: &Env) -> Result<Exit, CliError> {
    if args.schema {
        crate::cli::output::result_written(std::io::stdout().lock().write_all(SCHEMA.as_bytes()));
        return Ok(Exit::Done);
    }
    let folder = args.folder.canonicalize().ok().filter(|f| f.is_dir()).ok_or_else(|| {
        let message = format!(
            "{} is not a folder; name the one that your server is in.",
            args.folder.display()
        );
        CliError::usage("no-folder", message)
    })?;
    let file = folder.join(FILE_NAME);
    if file.exists() && !args.force {
        let message = format!(
            "{} already exists; change it by hand, or replace it with --force.",
            args.folder.join(FILE_NAME).display()
        );
        return Err(CliError::usage("exists", message));
    }
    let name = match &args.name {
        Some(name) if is_slug(name) => name.clone(),
        Some(name) => {
            let message = format!("{name:?} is not a valid name; use up to 64 of a-z, 0-9, `.`, `_` and `-`.");
            return Err(CliError::usage("name", message));
        }
        None => name_of(&folder),
    };
    // Nothing is written for a folder that no run would take.
    content::items(&folder).map_err(|error| CliError::usage("folder", error.to_string()))?;
    let mut sources = Sources::read(&folder);
    let Some(project) = project::look(&folder, &name, &sources) else {
        let message = format!(
            "Nothing in {} says how it is built: there is no {}; write a server.toml by hand as docs/own-server.md shows.",
            args.folder.display(),
            project::LOOKED_FOR
        );
        return Err(CliError::usage("nothing-found", message));
    };
    sources.leave_out(&project.of_others);
    let listening = project.listens(&sources);
    let workloads = sources.answers_plaintext().then(|| "plaintext".to_owned());
    let draft = Draft {
        name: &name,
        project: &project,
        listening: &listening,
        workloads: workloads.as_slice(),
    };
    let text = manifest_text::of(&draft);
    // What is written here must be read by every other command.
    let manifest = Manifest::parse(&text, &file, None).map_err(|e| CliError::failed("manifest", e.to_string()))?;
    write(&file, &text, args.force)?;
    say(args, env, &draft, &manifest, &checks(&draft, &manifest));
    Ok(Exit::Done)
}

/// Without `force` it replaces no file, also none that appeared meanwhile.
fn write(file: &Path, text: &str, force: bool) -> Result<(), CliError> {
    let failed =
        |e: std::io::Error| CliError::failed("write", format!("{} could not be written ({e}).", file.display()));
    let mut options = std::fs::File::options();
    options.write(true).truncate(true);
    let opened = if force {
        options.create(true).open(file)
    } else {
        options.create_new(true).open(file)
    };
    let mut opened = opened.map_err(failed)?;
    opened.write_all(text.as_bytes()).map_err(failed)
}

/// The folder's name, as a server may be called.
fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    let letters = name.chars().map(|c| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '-'
        }
    });
    let slug: String = letters.skip_while(|c| !c.is_ascii_alphanumeric()).take(64).collect();
    if slug.is_empty() { "server".to_owned() } else { slug }
}

/// What to look at before the next command, most important first.
fn checks(draft: &Draft<'_>, manifest: &Manifest) -> Vec<String> {
    let mut checks = Vec::new();
    if !draft.listening.certain {
        checks.push(format!("{} {}", draft.listening.found, draft.listening.advice));
    }
    checks.extend(draft.project.checks.iter().cloned());
    if let Some(missing) = crate::server::support::check(&manifest.requires, &crate::server::support::ThisHost) {
        checks.push(crate::fix::with_reason(&missing.reason, missing.fix.as_deref()));
    }
    checks
}

fn say(args: &NewServerArgs, env: &Env, draft: &Draft<'_>, manifest: &Manifest, checks: &[String]) {
    let folder = shown(&args.folder);
    let verify = format!("rigmark verify {folder}");
    env.out.object(&json!({
        "file": args.folder.join(FILE_NAME).to_string_lossy(),
        "name": draft.name,
        "found": [draft.project.found, draft.listening.found],
        "check": checks,
        "workloads": manifest.workloads,
        "command": manifest.run.command,
        "env": manifest.run.env,
        "port": manifest.run.port,
        "next": verify,
    }));
    env.out
        .line(&format!("Wrote {}.", args.folder.join(FILE_NAME).display()));
    env.out.line(&format!("  {}", draft.project.found));
    if draft.listening.certain {
        env.out.line(&format!("  {}", draft.listening.found));
    }
    for check in checks {
        env.out.line(&format!("{} {check}", paint(Tone::Warn, "Check:")));
    }
    env.out.line("Next, check that it builds and starts:");
    env.out.line(&format!("  {verify}"));
    let with = match draft.workloads.is_empty() {
        true => "the commit before",
        false => "nginx",
    };
    env.out.line(&format!("Then compare it, for example with {with}:"));
    for command in manifest_text::next(draft, &folder) {
        env.out.line(&format!("  {command}"));
    }
}

/// As a command takes it: a name alone would be looked for among the servers or scenarios that are known by name.
pub(super) fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    let is_path = text.contains('/') || text.starts_with('.');
    let text = if is_path { text } else { format!("./{text}") };
    if text.contains([' ', '\'', '"', '$', '`', '\\', '(', ')', '&', ';']) {
        format!("'{}'", text.replace('\'', r"'\''"))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn any_folder_makes_a_name() {
        for (folder, name) in [
            ("/a/hello", "hello"),
            ("/a/My Server", "my-server"),
            ("/a/_x", "x"),
            ("/a/服务器", "server"),
            ("/", "server"),
        ] {
            assert_eq!(name_of(Path::new(folder)), name);
            assert!(is_slug(&name_of(Path::new(folder))));
        }
        assert!(is_slug(&name_of(&PathBuf::from("/").join("x".repeat(200)))));
    }

    #[test]
    fn the_next_command_can_be_pasted() {
        assert_eq!(shown(Path::new(".")), ".");
        assert_eq!(shown(Path::new("hello")), "./hello");
        for path in ["../load.toml", "/etc/rigmark/load.toml"] {
            assert_eq!(shown(Path::new(path)), path);
        }
        assert_eq!(shown(Path::new("a/it's mine")), r"'a/it'\''s mine'");
    }
}
