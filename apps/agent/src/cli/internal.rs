//! What the agent starts itself as, in a child. Results on stdout, one sentence on stderr when it fails.

use super::Exit;
use super::args::{InternalArgs, InternalCommand};

pub fn run(args: &InternalArgs) -> Exit {
    match &args.command {
        InternalCommand::HoldNetns { user } => hold_netns(*user),
        InternalCommand::Loadgen { job } => match crate::loadgen::run(job) {
            Ok(()) => Exit::Done,
            Err(error) => {
                super::output::raw_stderr(&error);
                Exit::Failed
            }
        },
        InternalCommand::Verify => match crate::verify::spawn::child() {
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
