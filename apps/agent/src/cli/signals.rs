//! SIGTERM and SIGINT ask to stop; the second one ends the process as it would have without us.

use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

use super::{CliError, Exit};

pub struct Signals {
    /// True from the first signal on.
    pub stopped: watch::Receiver<bool>,
    /// True from the first SIGINT on.
    pub interrupted: watch::Receiver<bool>,
}

/// Must be called within the runtime.
pub fn listen() -> Result<Signals, CliError> {
    let (stop, stopped) = watch::channel(false);
    let (interrupt, interrupted) = watch::channel(false);
    let failed = |e| CliError::failed("signal", format!("Signals cannot be received ({e})."));
    let mut term = signal(SignalKind::terminate()).map_err(failed)?;
    let mut int = signal(SignalKind::interrupt()).map_err(failed)?;
    tokio::spawn(async move {
        for again in [false, true] {
            tokio::select! {
                _ = term.recv() => {}
                _ = int.recv() => { interrupt.send_replace(true); }
            }
            if again {
                // Nothing is dropped from here on.
                crate::host::tune::put_back_now();
                std::process::exit(Exit::Interrupted as i32);
            }
            stop.send_replace(true);
        }
    });
    Ok(Signals { stopped, interrupted })
}
