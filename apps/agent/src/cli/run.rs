use super::args::RunArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &RunArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported(
        "not-built",
        "`rigmark run` is not part of this build.",
    ))
}
