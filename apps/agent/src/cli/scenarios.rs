use super::args::ListArgs;
use super::{CliError, Env, Exit};

pub async fn run(_args: &ListArgs, _env: &Env) -> Result<Exit, CliError> {
    Err(CliError::unsupported("not-built", "`rigmark scenarios` is not part of this build."))
}
