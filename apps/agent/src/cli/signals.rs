//! SIGTERM, SIGINT and SIGHUP (unless it is ignored, as under nohup) ask to stop; the second one ends the process as it would have without us.

use tokio::signal::unix::{Signal, SignalKind, signal};
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
    let mut hangup = match is_ignored(libc::SIGHUP) {
        true => None,
        false => Some(signal(SignalKind::hangup()).map_err(failed)?),
    };
    tokio::spawn(async move {
        for again in [false, true] {
            tokio::select! {
                _ = term.recv() => {}
                () = received(&mut hangup) => {}
                _ = int.recv() => { interrupt.send_replace(true); }
            }
            if again {
                // Nothing is dropped from here on.
                crate::sandbox::child::kill_all_now();
                crate::host::tune::put_back_now();
                std::process::exit(Exit::Interrupted as i32);
            }
            stop.send_replace(true);
        }
    });
    Ok(Signals { stopped, interrupted })
}

/// Never, where nobody listens.
async fn received(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

fn is_ignored(number: libc::c_int) -> bool {
    let mut now = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: nothing is changed, and `now` has space for the result; all-zero is a valid one.
    unsafe {
        libc::sigaction(number, std::ptr::null(), now.as_mut_ptr()) == 0
            && now.assume_init().sa_sigaction == libc::SIG_IGN
    }
}
