//! Parses what was typed and calls the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    rigmark::cli::main(std::env::args_os())
}
