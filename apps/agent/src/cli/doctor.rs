use super::args::DoctorArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &DoctorArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported("not-built", "`rigmark doctor` is not part of this build."))
}
