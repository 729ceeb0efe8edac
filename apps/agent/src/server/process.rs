//! A running server: started inside the sandbox, watched for its end, stopped with SIGTERM and then SIGKILL.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use thiserror::Error;
use tokio::process::Command;

use super::build::Built;
use super::exit::{advice, spoken_exit};
use super::manifest::{DEFAULT_WORKERS, Manifest, Ready};
use super::output_summary::OutputSummary;
use super::{placeholder, unstarted};
use crate::program::find_command;
use crate::sandbox::child::{Child, ChildEnd, OnLine};
use crate::sandbox::{Sandbox, end_at_home, keep_orphans, scrub};
use crate::text::plain;
use crate::tool::output::{OutputStream, ProcessExit};

/// The contract gives a server 5 seconds.
pub const STOP_GRACE: Duration = Duration::from_secs(6);
/// Of where a server listens instead, in a message.
const MOST_PLACES: usize = 3;
/// Characters; a socket's path has at most 108 bytes.
const MOST_PATH: usize = 108;
/// What to do where a program's file says nothing.
const NAME_IT: &str =
    "if it is in the server's folder, name it with {server_dir}/ or {build_dir}/, and if it is not, install it";

#[derive(Debug, Error)]
pub enum ServerFailure {
    #[error("{server} could not be started ({source}); build it again with `rigmark build --force {server}`.")]
    Spawn { server: String, source: std::io::Error },
    #[error(
        "{server} could not be started, because its program {program} was not found or may not be run ({source}); {next}."
    )]
    NoProgram {
        server: String,
        program: String,
        source: std::io::Error,
        next: String,
    },
    #[error("{server} could not listen on port {port}, because another program has it; end that program or try again.")]
    PortInUse { server: String, port: u16 },
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
        "{server} was not ready after {within_s} s: what it answered to GET {path} is no HTTP/1.1; does it speak TLS or HTTP/2 only? Let it serve plain HTTP/1.1{printed}."
    )]
    NotHttp {
        server: String,
        within_s: f64,
        path: String,
        printed: String,
    },
    #[error(
        "{server} was not ready after {within_s} s: it listens at {places}, not at 127.0.0.1:{port}; have it listen at 127.0.0.1 and the given port{printed}."
    )]
    Elsewhere {
        server: String,
        within_s: f64,
        places: String,
        port: u16,
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

/// Where a server is started and with what.
pub struct Launch<'a> {
    pub manifest: &'a Manifest,
    pub built: &'a Built,
    pub options: &'a BTreeMap<String, i64>,
    pub address: &'a str,
    pub port: u16,
    pub root: &'a Path,
    /// Private and writable.
    pub work_dir: &'a Path,
}

impl Launch<'_> {
    fn values(&self) -> BTreeMap<String, String> {
        let text = |path: &Path| path.display().to_string();
        let mut values: BTreeMap<String, String> =
            self.options.iter().map(|(k, v)| (k.clone(), v.to_string())).collect();
        values
            .entry("workers".into())
            .or_insert_with(|| DEFAULT_WORKERS.to_string());
        values.extend([
            ("build_dir".to_owned(), text(&self.built.build_dir)),
            ("server_dir".to_owned(), text(&self.built.server_dir)),
            ("work_dir".to_owned(), text(self.work_dir)),
            ("address".to_owned(), self.address.to_owned()),
            ("port".to_owned(), self.port.to_string()),
            ("root".to_owned(), text(self.root)),
        ]);
        values
    }

    pub fn argv(&self) -> Vec<String> {
        let values = self.values();
        self.manifest
            .run
            .command
            .iter()
            .map(|word| placeholder::fill(word, &values))
            .collect()
    }

    fn command(&self) -> Command {
        let argv = self.argv();
        let program = find_command(&argv[0]).unwrap_or_else(|| PathBuf::from(&argv[0]));
        let mut command = Command::new(program);
        command.args(&argv[1..]).current_dir(self.work_dir);
        // Stays open and silent: many examples run until somebody presses Enter, and take the end of their input for it.
        command.stdin(Stdio::piped());
        scrub(command.as_std_mut(), self.work_dir);
        let values = self.values();
        for (name, value) in &self.manifest.run.env {
            command.env(name, placeholder::fill(value, &values));
        }
        command
    }
}

pub struct ServerProcess {
    name: String,
    port: u16,
    printed: Arc<Mutex<OutputSummary>>,
    // In this order: it ends before what forked away from it.
    child: Child,
    left: Leftovers,
}

/// What has this home, which is the server's alone: what it left behind in a session of its own ends with it, also where
/// no namespace ends it.
struct Leftovers(PathBuf);

impl Drop for Leftovers {
    fn drop(&mut self) {
        end_at_home(&self.0);
    }
}

impl ServerProcess {
    /// `pin` may add what else the child does before it becomes the server (its share of the cores).
    pub fn start(
        launch: &Launch<'_>,
        sandbox: &dyn Sandbox,
        pin: impl FnOnce(&mut Command),
        on_line: OnLine,
    ) -> Result<Self, ServerFailure> {
        let mut command = launch.command();
        sandbox.prepare(&mut command);
        keep_orphans(command.as_std_mut());
        pin(&mut command);
        let printed = Arc::new(Mutex::new(OutputSummary::default()));
        let to = printed.clone();
        let watched: OnLine = Arc::new(move |from: OutputStream, line: &str| {
            to.lock().expect("no writer panics").add(line);
            on_line(from, line);
        });
        let name = launch.manifest.name.clone();
        match Child::spawn(&mut command, 0, watched) {
            Ok(child) => Ok(Self {
                name,
                port: launch.port,
                printed,
                child,
                left: Leftovers(launch.work_dir.to_owned()),
            }),
            // Not EPERM, which is what a sandbox says.
            Err(source) if matches!(source.raw_os_error(), Some(libc::ENOENT | libc::EACCES | libc::ENOEXEC)) => {
                let program = launch.argv().swap_remove(0);
                let folders = [launch.built.build_dir.as_path(), launch.built.server_dir.as_path()];
                let next = unstarted::next_step(&program, launch.work_dir, folders, &source);
                Err(ServerFailure::NoProgram {
                    server: name,
                    program,
                    source,
                    next: next.unwrap_or_else(|| NAME_IT.to_owned()),
                })
            }
            Err(source) => Err(ServerFailure::Spawn { server: name, source }),
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.pid()
    }

    pub async fn ended(&mut self) -> ChildEnd {
        self.child.wait().await
    }

    /// Why it ended before it was ready. Waits a moment for its last words.
    pub async fn ended_early(&mut self, ended: ChildEnd, sandbox: &dyn Sandbox) -> ServerFailure {
        let _ = self.child.output().await;
        if self.printed.lock().expect("no writer panics").says_taken(self.port) {
            return ServerFailure::PortInUse {
                server: self.name.clone(),
                port: self.port,
            };
        }
        if ended.exit == ProcessExit::Code(0)
            && let Some(does) = self.left_behind(sandbox).await
        {
            return ServerFailure::Background {
                server: self.name.clone(),
                does,
            };
        }
        ServerFailure::EndedEarly {
            server: self.name.clone(),
            how: spoken_exit(ended.exit),
            printed: self.printed(),
            next: advice(ended.exit).unwrap_or("start it by hand to see why"),
        }
    }

    /// What something of it does that it left behind, in words; to listen it may need a moment, or longer than anybody waits here.
    async fn left_behind(&self, sandbox: &dyn Sandbox) -> Option<String> {
        const LOOKS: u32 = 10;
        const BETWEEN: Duration = Duration::from_millis(50);
        for _ in 0..LOOKS {
            let left = sandbox.listening(self.pid(), &self.left.0);
            if !left.is_empty() {
                return Some(format!("listens at {}", addresses(&left)));
            }
            tokio::time::sleep(BETWEEN).await;
        }
        let left = sandbox.inhabitants(self.pid(), &self.left.0);
        (!left.is_empty()).then(|| "goes on".to_owned())
    }

    /// `status` is that of its last response, if there was one; `reached` whether a connection to it was ever made.
    pub fn never_ready(
        &self,
        manifest: &Manifest,
        status: Option<u16>,
        reached: bool,
        sandbox: &dyn Sandbox,
    ) -> ServerFailure {
        let (server, printed) = (self.name.clone(), self.printed());
        let Ready { within_s, .. } = manifest.run.ready;
        let path = manifest.run.ready.target().to_owned();
        let untold =
            "; neither run.command nor run.env of its server.toml has {port}, so it was not told where to listen";
        let printed = if manifest.uses_port() {
            printed
        } else {
            format!("{printed}{untold}")
        };
        let port = self.port;
        let listening = sandbox.listening(self.pid(), &self.left.0);
        let unix = || match listening.is_empty() {
            true => unix_sockets(&sandbox.unix_sockets(self.pid(), &self.left.0)),
            false => None,
        };
        let places = elsewhere(&listening, port, reached).or_else(unix);
        match (status, places) {
            (Some(status), _) => ServerFailure::WrongStatus {
                server,
                within_s,
                path,
                status,
                printed,
            },
            (None, Some(places)) => ServerFailure::Elsewhere {
                server,
                within_s,
                places,
                port,
                printed,
            },
            (None, None) => ServerFailure::NeverReady {
                server,
                within_s,
                path,
                printed,
            },
        }
    }

    /// It answers, but not as it is asked.
    pub fn not_http(&self, manifest: &Manifest) -> ServerFailure {
        ServerFailure::NotHttp {
            server: self.name.clone(),
            within_s: manifest.run.ready.within_s,
            path: manifest.run.ready.target().to_owned(),
            printed: self.printed(),
        }
    }

    /// Why it is gone, if it is.
    pub async fn crashed(&mut self) -> Option<ServerFailure> {
        let ended = self.child.try_wait()?;
        let _ = self.child.output().await;
        Some(ServerFailure::Crashed {
            server: self.name.clone(),
            how: spoken_exit(ended.exit),
            printed: self.printed(),
            next: advice(ended.exit).unwrap_or("run it by hand under the same load to see why"),
        })
    }

    /// By SIGTERM, and by SIGKILL where that is not enough. How it ended where that was not clean, as in "nginx …".
    pub async fn stop(mut self) -> Option<String> {
        let (ended, in_time) = self.child.stop(STOP_GRACE).await;
        unclean(ended.exit, in_time)
    }

    fn printed(&self) -> String {
        self.printed.lock().expect("no writer panics").in_words()
    }
}

/// In words, where it listens at all, but not where it is asked. `[::]` takes IPv4 too, unless it was set not to: then nobody
/// reaches it at 127.0.0.1.
fn elsewhere(listening: &[SocketAddr], port: u16, reached: bool) -> Option<String> {
    let everywhere = |at: &SocketAddr| at.ip().is_unspecified() && (at.is_ipv4() || reached);
    let asked =
        |at: &SocketAddr| at.port() == port && (everywhere(at) || at.ip().to_canonical() == Ipv4Addr::LOCALHOST);
    if listening.is_empty() || listening.iter().any(asked) {
        return None;
    }
    Some(addresses(listening))
}

fn addresses(listening: &[SocketAddr]) -> String {
    in_words(listening.iter().map(SocketAddr::to_string).collect())
}

fn unix_sockets(paths: &[String]) -> Option<String> {
    // Every program on .NET has one for its debugger.
    let own = |path: &&String| !path.contains("/dotnet-diagnostic-");
    let named = |path: &String| format!("the Unix socket {}", plain(path, MOST_PATH));
    let places: Vec<String> = paths.iter().filter(own).map(named).collect();
    (!places.is_empty()).then(|| in_words(places))
}

fn in_words(mut places: Vec<String>) -> String {
    // Each worker may have its own.
    places.sort();
    places.dedup();
    places.truncate(MOST_PLACES);
    places.join(" and ")
}

/// Clean is code 0, or an end by that very signal, as of a program without a handler: 143 is how a JVM or a shell says it.
fn unclean(exit: ProcessExit, in_time: bool) -> Option<String> {
    match exit {
        _ if !in_time => Some(format!(
            "was still there {} s after SIGTERM and had to be killed",
            STOP_GRACE.as_secs()
        )),
        ProcessExit::Code(0 | 143) | ProcessExit::Signal(libc::SIGTERM) => None,
        other => Some(format!("ended with {} when SIGTERM was to end it", spoken_exit(other))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_that_listens_elsewhere_is_told_where() {
        let of = |places: &[&str]| {
            let places: Vec<SocketAddr> = places.iter().map(|place| place.parse().unwrap()).collect();
            elsewhere(&places, 8080, true)
        };
        assert_eq!(of(&["[::1]:3000"]).as_deref(), Some("[::1]:3000"));
        let other_address = ["[::1]:8080", "[::1]:8080", "127.0.0.1:9229"];
        assert_eq!(of(&other_address).as_deref(), Some("127.0.0.1:9229 and [::1]:8080"));
        for here in ["127.0.0.1:8080", "0.0.0.0:8080", "[::]:8080", "[::ffff:127.0.0.1]:8080"] {
            assert_eq!(of(&["[::1]:3000", here]), None, "{here}");
        }
        assert_eq!(of(&[]), None);
    }

    #[test]
    fn one_that_listens_where_ipv4_does_not_reach_it_is_told_so() {
        let all: SocketAddr = "[::]:8080".parse().unwrap();
        assert_eq!(elsewhere(&[all], 8080, false).as_deref(), Some("[::]:8080"));
        assert_eq!(elsewhere(&[all], 8080, true), None);
        let ipv4: SocketAddr = "0.0.0.0:8080".parse().unwrap();
        assert_eq!(elsewhere(&[all, ipv4], 8080, false), None);
        let socket = unix_sockets(&["/run/a.sock".to_owned()]);
        assert_eq!(socket.as_deref(), Some("the Unix socket /run/a.sock"));
        let debugger = "/tmp/dotnet-diagnostic-12-345-socket".to_owned();
        assert_eq!((unix_sockets(&[]), unix_sockets(&[debugger])), (None, None));
    }

    #[test]
    fn an_end_by_the_signal_that_was_sent_is_a_clean_one() {
        for clean in [
            ProcessExit::Code(0),
            ProcessExit::Signal(libc::SIGTERM),
            ProcessExit::Code(143),
        ] {
            assert_eq!(unclean(clean, true), None, "{clean:?}");
        }
        for (exit, in_time, says) in [
            (
                ProcessExit::Code(1),
                true,
                "ended with exit code 1 when SIGTERM was to end it",
            ),
            (
                ProcessExit::Signal(libc::SIGSEGV),
                true,
                "ended with signal 11 (SIGSEGV) when SIGTERM was to end it",
            ),
            (
                ProcessExit::Signal(libc::SIGKILL),
                false,
                "was still there 6 s after SIGTERM and had to be killed",
            ),
        ] {
            assert_eq!(unclean(exit, in_time).as_deref(), Some(says));
        }
    }
}
