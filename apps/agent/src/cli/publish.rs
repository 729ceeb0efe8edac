use super::args::PublishArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &PublishArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported(
        "not-built",
        "`rigmark publish` is not built yet; queue the run from the browser to have it in a workspace.",
    ))
}
