//! A running server: started inside the sandbox, watched for its end, stopped with SIGTERM and then SIGKILL.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::process::Command;

use super::exit::{advice, spoken_exit};
use super::failure::ServerFailure;
use super::launch::Launch;
use super::listening::{addresses, cure, elsewhere, unix_sockets};
use super::manifest::{Manifest, Ready};
use super::output_summary::OutputSummary;
use super::unstarted;
use crate::sandbox::child::{Child, ChildEnd, OnLine};
use crate::sandbox::{Sandbox, end_at_home, keep_orphans};
use crate::tool::output::{OutputStream, ProcessExit};

/// The contract gives a server 5 seconds.
pub const STOP_GRACE: Duration = Duration::from_secs(6);
/// What to do where a program's file says nothing.
const NAME_IT: &str =
    "if it is in the server's folder, name it with {server_dir}/ or {build_dir}/, and if it is not, install it";

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
            next: advice(ended.exit)
                .or_else(|| self.printed.lock().expect("no writer panics").advice())
                .unwrap_or("start it by hand to see why"),
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
                next: cure(&listening, port),
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
