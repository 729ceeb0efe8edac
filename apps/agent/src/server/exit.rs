//! How a process ended, in words.

use crate::tool::output::ProcessExit;

pub fn spoken_exit(exit: ProcessExit) -> String {
    match exit {
        ProcessExit::Code(code) => format!("exit code {code}"),
        ProcessExit::Signal(signal) => match signal_name(signal) {
            Some(name) => format!("signal {signal} ({name})"),
            None => format!("signal {signal}"),
        },
    }
}

/// What to do about an end that tells its own cause. A shell says 128 and the signal's number of what it started.
pub fn advice(exit: ProcessExit) -> Option<&'static str> {
    const SHELL: i32 = 128;
    let signal = match exit {
        ProcessExit::Signal(signal) => signal,
        ProcessExit::Code(code) => code - SHELL,
    };
    match signal {
        libc::SIGKILL => Some(
            "the kernel ends programs in this way when memory runs out: give it fewer workers or connections, and see `dmesg`",
        ),
        libc::SIGXFSZ => Some("it wrote more than 4 GiB to one file, which a trial does not allow: turn its log off"),
        _ => None,
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGHUP => "SIGHUP",
        libc::SIGINT => "SIGINT",
        libc::SIGQUIT => "SIGQUIT",
        libc::SIGILL => "SIGILL",
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGKILL => "SIGKILL",
        libc::SIGUSR1 => "SIGUSR1",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGUSR2 => "SIGUSR2",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGALRM => "SIGALRM",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        libc::SIGSYS => "SIGSYS",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_that_tells_its_cause_has_advice() {
        let too_long = ProcessExit::Signal(libc::SIGXFSZ);
        assert!(spoken_exit(too_long).ends_with("(SIGXFSZ)"));
        assert!(advice(too_long).unwrap().contains("turn its log off"));
        for killed in [ProcessExit::Signal(libc::SIGKILL), ProcessExit::Code(137)] {
            assert!(advice(killed).unwrap().contains("memory"), "{killed:?}");
        }
        for other in [ProcessExit::Code(9), ProcessExit::Signal(libc::SIGSEGV)] {
            assert_eq!(advice(other), None, "{other:?}");
        }
    }
}
