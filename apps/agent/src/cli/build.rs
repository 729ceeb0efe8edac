use super::args::BuildArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &BuildArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported(
        "not-built",
        "`rigmark build` is not part of this build.",
    ))
}
