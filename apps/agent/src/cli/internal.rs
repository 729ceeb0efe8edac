//! What the agent starts itself as, in a child.

use super::Exit;
use super::args::{InternalArgs, InternalCommand};

pub fn run(args: &InternalArgs) -> Exit {
    match &args.command {
        InternalCommand::HoldNetns { user: _ } => Exit::Unsupported,
        InternalCommand::Verify => Exit::Unsupported,
    }
}
