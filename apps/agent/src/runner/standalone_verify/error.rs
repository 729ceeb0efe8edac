//! Why a server could not be verified.

use thiserror::Error;

use crate::server::build::BuildError;
use crate::state::StateError;
use crate::verify::spawn::SpawnError;

#[derive(Debug, Error)]
pub enum StandaloneError {
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    State(#[from] StateError),
    #[error(
        "The files to serve could not be written ({0}); free some space or choose another folder with --state-dir."
    )]
    Files(std::io::Error),
    #[error(transparent)]
    Verifier(#[from] SpawnError),
}
