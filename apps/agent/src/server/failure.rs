//! Why a server did not start, was not ready or is gone.

use thiserror::Error;

#[derive(Debug, Error)]
pub enum ServerFailure {
    #[error("{server} could not be started ({source}); build it again with `rigmark build --force {server}`.")]
    Spawn { server: String, source: std::io::Error },
    #[error(
        "{server} could not be started, because its program {program} was not found or is not executable ({source}); {next}."
    )]
    NoProgram {
        server: String,
        program: String,
        source: std::io::Error,
        next: String,
    },
    #[error("{server} could not listen on port {port}, because another program has it; end that program or try again.")]
    PortInUse { server: String, port: u16 },
    #[error(
        "{server} is set to port {port} in its server.toml, but that port is in use; if another server of this run has it, add --slice 0, and otherwise end the program that has it."
    )]
    OwnPortTaken { server: String, port: u16 },
    #[error("No free port was found ({0}); end some of the programs that listen on this host.")]
    NoPort(std::io::Error),
    #[error("{server} ended with {how} before it was ready{printed}; {next}.")]
    EndedEarly {
        server: String,
        how: String,
        printed: String,
        next: &'static str,
    },
    #[error(
        "{server} went into the background: the program that was started has ended, and another {does}; start it in the foreground, as with nginx's `daemon off;` or a flag such as -D, -f or --no-daemon."
    )]
    Background { server: String, does: String },
    #[error(
        "{server} was not ready after {within_s} s: GET {path} got no response{printed}; raise `ready.within_s` in its server.toml if it needs longer."
    )]
    NeverReady {
        server: String,
        within_s: f64,
        path: String,
        printed: String,
    },
    #[error(
        "{server} was not ready after {within_s} s: its response to GET {path} is not HTTP/1.1; if it serves only TLS or HTTP/2, make it serve plain HTTP/1.1{printed}."
    )]
    NotHttp {
        server: String,
        within_s: f64,
        path: String,
        printed: String,
    },
    #[error(
        "{server} was not ready after {within_s} s: it listens at {places}, not at 127.0.0.1:{port}; {next}{printed}."
    )]
    Elsewhere {
        server: String,
        within_s: f64,
        places: String,
        port: u16,
        next: String,
        printed: String,
    },
    #[error(
        "{server} was not ready after {within_s} s: GET {path} gets status {status} and not 200{printed}; make sure that it serves `ready.path` of its server.toml and may read the file."
    )]
    WrongStatus {
        server: String,
        within_s: f64,
        path: String,
        status: u16,
        printed: String,
    },
    #[error("{server} crashed: it ended with {how} in the middle of the trial{printed}; {next}.")]
    Crashed {
        server: String,
        how: String,
        printed: String,
        next: &'static str,
    },
}
