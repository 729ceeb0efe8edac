//! How a server is started: its command, with every placeholder filled.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::process::Command;

use super::build::Built;
use super::failure::ServerFailure;
use super::manifest::{DEFAULT_WORKERS, Manifest};
use super::placeholder;
use crate::program::{find_command, find_command_in};
use crate::sandbox::{Sandbox, scrub};

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

/// The port to start it with.
pub fn port(manifest: &Manifest, sandbox: &dyn Sandbox) -> Result<u16, ServerFailure> {
    sandbox
        .port(manifest.run.port)
        .map_err(|error| match manifest.run.port {
            Some(port) => ServerFailure::OwnPortTaken {
                server: manifest.name.clone(),
                port,
            },
            None => ServerFailure::NoPort(error),
        })
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

    pub(super) fn command(&self) -> Command {
        let argv = self.argv();
        let chosen = self.built.path.as_deref();
        let program = chosen.map_or_else(|| find_command(&argv[0]), |path| find_command_in(path, &argv[0]));
        let mut command = Command::new(program.unwrap_or_else(|| PathBuf::from(&argv[0])));
        command.args(&argv[1..]).current_dir(self.work_dir);
        // Stays open and silent: many examples run until somebody presses Enter, and take the end of their input for it.
        command.stdin(Stdio::piped());
        scrub(command.as_std_mut(), self.work_dir);
        if let Some(path) = chosen {
            command.env("PATH", path);
        }
        let values = self.values();
        for (name, value) in &self.manifest.run.env {
            command.env(name, placeholder::fill(value, &values));
        }
        command
    }
}
