//! Builds into a cache that is keyed by what is built and what builds it.
//!
//! `<state>/builds/<hash>` leads to a folder with `src/<name>` (a copy of exactly the files that the hash covers, so nothing
//! else can get into the build), `out` (`{build_dir}`) and `build.log`. The folder stays where it was built, because programs
//! may name their own place (Python's environments do); the link to it appears by one rename, so a build that is in the
//! cache is whole.

mod built;
mod error;
mod step;
#[cfg(test)]
mod tests;
mod unfinished;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex};

use sha2::{Digest, Sha256};

pub use built::Built;
pub use error::BuildError;

use super::content;
use super::placeholder;
use super::{Prebuilt, Server, toolchain};
use crate::sandbox::child::OnLine;
use crate::state::State;
use step::run_step;
use unfinished::{Unfinished, keep_log, sweep};

/// `on_line` gets each line that the build prints.
pub async fn build(
    server: &Server,
    options: &BTreeMap<String, i64>,
    state: &State,
    force: bool,
    on_line: OnLine,
) -> Result<Built, BuildError> {
    if let Some(missing) = server.missing() {
        return Err(BuildError::Unsupported {
            server: server.manifest.name.clone(),
            why: crate::fix::with_reason(&missing.reason, missing.fix.as_deref()),
        });
    }
    let builds = state.dir("builds")?;
    let prebuilt = server.prebuilt_used();
    let made_with = match prebuilt {
        Some(prebuilt) => vec![format!("prebuilt {}", prebuilt.hash)],
        None => {
            let mut lines = toolchain::lines(&server.manifest.requires);
            lines.extend(toolchain::environment(std::env::vars_os()));
            lines
        }
    };
    let target = builds.join(key(server, options, &made_with));
    if target.is_dir() && !force {
        return Ok(Built::at(&target, server, true).with_path(&server.manifest));
    }
    sweep(&builds);
    let unfinished = Unfinished::begin(&builds, &target)?;
    let outcome = match prebuilt {
        Some(prebuilt) => copy_in(&unfinished.folder, server, prebuilt),
        None => build_in(&unfinished.folder, server, options, on_line).await,
    };
    if let Err(error) = outcome {
        let kept = keep_log(&builds, &unfinished.folder, &server.manifest.name);
        return Err(match (error, kept) {
            (
                BuildError::Failed {
                    server,
                    step,
                    how,
                    tail,
                    ..
                },
                Some(log),
            ) => BuildError::Failed {
                server,
                step,
                how,
                tail,
                log,
            },
            (other, _) => other,
        });
    }
    if force || !target.is_dir() {
        unfinished.finish(&target).map_err(|source| BuildError::Io {
            path: target.clone(),
            source,
        })?;
    }
    Ok(Built::at(&target, server, false).with_path(&server.manifest))
}

/// A hash over the folder's, the options that the build depends on, and what it is built with: compilers, libraries, variables.
fn key(server: &Server, options: &BTreeMap<String, i64>, toolchain: &[String]) -> String {
    let build = &server.manifest.build;
    let words = build.steps.iter().flatten().chain(build.env.values());
    let used: BTreeMap<&str, i64> = words
        .flat_map(|word| placeholder::names(word).unwrap_or_default())
        .filter_map(|name| options.get(name).map(|value| (name, *value)))
        .collect();
    let all = serde_json::json!([server.content_hash, used, toolchain]);
    hex::encode(Sha256::digest(all.to_string()))
}

/// In place of the build's steps: what they made elsewhere.
fn copy_in(folder: &Path, server: &Server, prebuilt: &Prebuilt) -> Result<(), BuildError> {
    let built = Built::at(folder, server, false);
    let io = |source| BuildError::Io {
        path: folder.to_owned(),
        source,
    };
    copy_source(&built, server)?;
    content::copy(&prebuilt.out, &built.build_dir)?;
    if content::content_hash(&built.build_dir)? != prebuilt.hash {
        return Err(BuildError::Damaged(server.manifest.name.clone()));
    }
    std::fs::write(&built.log, format!("Came with the agent: {}.\n", prebuilt.made_with())).map_err(io)
}

/// Exactly what the content hash covers.
fn copy_source(built: &Built, server: &Server) -> Result<(), BuildError> {
    content::copy(&server.folder, &built.server_dir)?;
    if content::content_hash(&built.server_dir)? != server.content_hash {
        return Err(BuildError::Changed(server.manifest.name.clone()));
    }
    Ok(())
}

async fn build_in(
    folder: &Path,
    server: &Server,
    options: &BTreeMap<String, i64>,
    on_line: OnLine,
) -> Result<(), BuildError> {
    let built = Built::at(folder, server, false);
    let io = |source| BuildError::Io {
        path: folder.to_owned(),
        source,
    };
    std::fs::create_dir_all(&built.build_dir).map_err(io)?;
    copy_source(&built, server)?;
    let log = Arc::new(Mutex::new(std::fs::File::create(&built.log).map_err(io)?));
    let mut values: BTreeMap<String, String> = options.iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
    values
        .entry("workers".into())
        .or_insert_with(|| super::manifest::DEFAULT_WORKERS.to_string());
    values.insert("build_dir".into(), built.build_dir.display().to_string());
    values.insert("server_dir".into(), built.server_dir.display().to_string());
    for step in &server.manifest.build.steps {
        let argv: Vec<String> = step.iter().map(|word| placeholder::fill(word, &values)).collect();
        run_step(server, &argv, &values, &built, log.clone(), on_line.clone()).await?;
    }
    // Said here, where it can be fixed, and not at each start.
    let program = placeholder::fill(&server.manifest.run.command[0], &values);
    if server.manifest.run.command[0].contains("{build_dir}") && !Path::new(&program).is_file() {
        return Err(BuildError::NoProgram {
            server: server.manifest.name.clone(),
            program: server.manifest.run.command[0].clone(),
        });
    }
    Ok(())
}
