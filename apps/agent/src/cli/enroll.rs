use super::args::EnrollArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &EnrollArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported("not-built", "`rigmark enroll` is not part of this build."))
}
