//! `rigmark build SERVER…`: builds into the cache.

use std::sync::Arc;

use serde_json::json;

use super::args::BuildArgs;
use super::{CliError, Env, Exit};
use crate::server::build::{BuildError, build};

pub async fn run(args: &BuildArgs, env: &Env) -> Result<Exit, CliError> {
    let assets = env.assets()?;
    let mut done = Vec::new();
    for name in &args.servers {
        let server = env.server(&assets, name)?;
        let options = server
            .manifest
            .resolve_options(&Default::default())
            .map_err(|e| CliError::usage("option", e))?;
        env.out.note(&format!("Building {} …", server.manifest.name));
        let built = build(&server, &options, &env.state, args.force, Arc::new(|_, _| {})).await?;
        let how = if built.cached { "was already built" } else { "is built" };
        env.out.line(&format!(
            "{} {how}: {}",
            server.manifest.name,
            built.build_dir.display()
        ));
        done.push(json!({
            "server": server.manifest.name,
            "content_hash": server.content_hash,
            "build_dir": built.build_dir,
            "log": built.log,
            "cached": built.cached,
        }));
    }
    env.out.object(&json!({ "builds": done }));
    Ok(Exit::Done)
}

impl From<BuildError> for CliError {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Unsupported { .. } => Self::unsupported("unsupported", error.to_string()),
            other => Self::failed("build", other.to_string()),
        }
    }
}

impl From<crate::server::ServerError> for CliError {
    fn from(error: crate::server::ServerError) -> Self {
        use crate::server::RevisionError::{CheckOut, State};
        use crate::server::ServerError::{Content, Manifest, NoFolder, Revision, Unknown};
        match error {
            Revision(CheckOut { .. } | State(_)) => Self::failed("revision", error.to_string()),
            Revision(_) => Self::usage("revision", error.to_string()),
            Unknown { .. } | NoFolder(_) => Self::usage("unknown-server", error.to_string()),
            Manifest(_) => Self::usage("manifest", error.to_string()),
            Content(_) => Self::failed("content", error.to_string()),
        }
    }
}
