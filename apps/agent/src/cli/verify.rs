use super::args::VerifyArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &VerifyArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported(
        "not-built",
        "`rigmark verify` is not part of this build.",
    ))
}
