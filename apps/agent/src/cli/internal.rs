//! What the agent starts itself as, in a child. Results on stdout, one sentence on stderr when it fails.

use std::time::Duration;

use super::Exit;
use super::args::{InternalArgs, InternalCommand};
use crate::host::lock::{HostLock, LockedBy};

pub fn run(args: &InternalArgs) -> Exit {
    match &args.command {
        InternalCommand::HoldNetns { user } => hold_netns(*user),
        InternalCommand::WhenIdle { within, command } => when_idle(*within, command),
        InternalCommand::Loadgen { job } => match crate::loadgen::run(job) {
            Ok(()) => Exit::Done,
            Err(error) => {
                super::output::raw_stderr(&error);
                Exit::Failed
            }
        },
        InternalCommand::Verify => match crate::verify::child::run() {
            Ok(()) => Exit::Done,
            Err(error) => {
                super::output::raw_stderr(&error);
                Exit::Failed
            }
        },
        InternalCommand::CheckSignature { file, signature, key } => {
            let checked = std::fs::read(file).and_then(|data| Ok((data, std::fs::read_to_string(signature)?)));
            let found = match checked {
                Ok((data, signature)) => crate::minisign::check(&data, &signature, key).map_err(|e| e.to_string()),
                Err(error) => Err(format!("The file or its signature could not be read ({error}).")),
            };
            match found {
                Ok(()) => Exit::Done,
                Err(error) => {
                    super::output::raw_stderr(&error);
                    Exit::Failed
                }
            }
        }
    }
}

/// Runs the command while nothing is measured and nothing can begin to be: what an update restarts the agent with.
fn when_idle(within: u64, command: &[String]) -> Exit {
    let lock = match HostLock::wait("an update of the agent", Duration::from_secs(within)) {
        Ok(lock) => lock,
        Err(held) => {
            super::output::raw_stderr(&held.to_string());
            return match held {
                LockedBy::Other { .. } => Exit::GateNotMet,
                LockedBy::Unusable { .. } => Exit::Failed,
            };
        }
    };
    // The clap definition asks for one word at least.
    let status = std::process::Command::new(&command[0]).args(&command[1..]).status();
    drop(lock);
    match status {
        Ok(status) if status.success() => Exit::Done,
        Ok(status) => {
            super::output::raw_stderr(&format!("{} failed ({status}).", command[0]));
            Exit::Failed
        }
        Err(error) => {
            super::output::raw_stderr(&format!("{} cannot be started ({error}).", command[0]));
            Exit::Failed
        }
    }
}

#[cfg(target_os = "linux")]
fn hold_netns(user: bool) -> Exit {
    match crate::sandbox::netns::hold(user) {
        Ok(()) => Exit::Done,
        Err(error) => {
            super::output::raw_stderr(&error.to_string());
            Exit::Unsupported
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn hold_netns(_user: bool) -> Exit {
    super::output::raw_stderr("this system has no network namespaces");
    Exit::Unsupported
}
