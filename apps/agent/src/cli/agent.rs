use super::args::AgentArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &AgentArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported("not-built", "`rigmark agent` is not part of this build."))
}
