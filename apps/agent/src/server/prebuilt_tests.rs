use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use super::*;
use crate::sandbox::child::OnLine;
use crate::server::build::{BuildError, build};
use crate::server::{Server, ServerError, content};
use crate::state::State;

/// A server whose compiler no host has, and a build of it.
struct Installed {
    dir: tempfile::TempDir,
}

impl Installed {
    fn new() -> Self {
        let it = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        std::fs::create_dir_all(it.folder()).unwrap();
        std::fs::write(it.folder().join("server.toml"), MANIFEST).unwrap();
        std::fs::create_dir_all(it.place().join("out/bin")).unwrap();
        let program = it.place().join("out/bin/hello");
        std::fs::write(&program, "#!/bin/sh\n").unwrap();
        std::fs::set_permissions(program, std::fs::Permissions::from_mode(0o755)).unwrap();
        it.describe(|_| {});
        it
    }

    fn folder(&self) -> PathBuf {
        self.dir.path().join("servers/hello")
    }
    fn place(&self) -> PathBuf {
        self.dir.path().join("prebuilt/hello")
    }
    fn server(&self) -> Result<Server, ServerError> {
        Server::load(&self.folder())
    }

    /// Writes prebuilt.json, right but for what `change` does to it.
    fn describe(&self, change: impl Fn(&mut serde_json::Value)) {
        let system = if cfg!(target_os = "macos") {
            "apple-darwin"
        } else {
            "unknown-linux-gnu"
        };
        let mut is = serde_json::json!({
            "schema": 1,
            "source": content::content_hash(&self.folder()).unwrap(),
            "out": content::content_hash(&self.place().join("out")).unwrap(),
            "target": format!("{}-{system}", std::env::consts::ARCH),
            "toolchain": ["nocc 3.1"],
            "loader": null,
        });
        change(&mut is);
        std::fs::write(self.place().join(FILE_NAME), is.to_string()).unwrap();
    }

    async fn build(&self) -> Result<crate::server::build::Built, BuildError> {
        let quiet: OnLine = Arc::new(|_, _| {});
        let state = State::locate(Some(&self.dir.path().join("state")));
        build(&self.server().unwrap(), &BTreeMap::new(), &state, false, quiet).await
    }
}

const MANIFEST: &str = r#"schema = 1
name = "hello"
title = "Hello"
language = "C"
summary = "Needs a compiler that is not here."
license = "MIT"
[requires]
os = ["linux", "macos"]
commands = ["no-such-compiler"]
debian = ["no-such-package"]
[prebuilt]
commands = ["sh"]
[build]
steps = [["no-such-compiler", "{build_dir}"]]
[run]
command = ["{build_dir}/bin/hello", "{port}"]
"#;

#[tokio::test]
async fn without_the_compiler_what_came_with_the_agent_is_used() {
    let host = Installed::new();
    let server = host.server().unwrap();
    assert_eq!(server.missing(), None);
    let prebuilt = server.prebuilt_used().unwrap();
    assert_eq!(prebuilt.made_with(), format!("nocc 3.1, {}", prebuilt.target));
    let built = host.build().await.unwrap();
    assert!(!built.cached && built.build_dir.join("bin/hello").is_file());
    assert!(built.server_dir.join("server.toml").is_file());
    let mode = std::fs::metadata(built.build_dir.join("bin/hello"))
        .unwrap()
        .permissions()
        .mode();
    assert_eq!(mode & 0o111, 0o111);
    assert!(host.build().await.unwrap().cached);
}

#[tokio::test]
async fn one_of_another_source_or_system_is_none_and_one_that_was_changed_is_refused() {
    let host = Installed::new();
    let is_none = |what: &str| {
        let missing = host.server().unwrap().missing();
        assert_eq!(missing.unwrap().reason, "no-such-compiler is not installed.", "{what}");
    };
    host.describe(|is| is["source"] = "0".repeat(64).into());
    is_none("source");
    host.describe(|is| is["target"] = "riscv64gc-unknown-linux-gnu".into());
    is_none("target");
    host.describe(|is| is["loader"] = "/lib/no-such-loader.so".into());
    is_none("loader");
    host.describe(|is| is["schema"] = 2.into());
    is_none("schema");
    host.describe(|is| is["surprise"] = 1.into());
    is_none("unknown key");
    host.describe(|_| {});
    assert_eq!(host.server().unwrap().missing(), None);
    std::fs::write(host.place().join("out/bin/hello"), "#!/bin/sh\nevil\n").unwrap();
    let refused = host.build().await.unwrap_err();
    assert!(matches!(refused, BuildError::Damaged(_)), "{refused}");
}

#[test]
fn a_server_that_does_not_ask_for_one_gets_none() {
    let host = Installed::new();
    let text = MANIFEST.replace("[prebuilt]\ncommands = [\"sh\"]\n", "");
    std::fs::write(host.folder().join("server.toml"), text).unwrap();
    host.describe(|_| {});
    assert!(host.server().unwrap().missing().is_some());
}

#[test]
fn what_a_prebuilt_one_needs_to_run_is_what_is_missing() {
    let host = Installed::new();
    let text = MANIFEST.replace("[\"sh\"]", "[\"no-such-runtime\"]\ndebian = [\"runtime\"]");
    std::fs::write(host.folder().join("server.toml"), text).unwrap();
    host.describe(|_| {});
    let missing = host.server().unwrap().missing().unwrap();
    assert_eq!(missing.reason, "no-such-runtime is not installed.");
    if cfg!(target_os = "linux") {
        assert_eq!(missing.fix.as_deref(), Some("sudo apt install runtime"));
    }
}

#[test]
fn where_the_toolchain_is_there_the_host_builds() {
    let host = Installed::new();
    std::fs::write(
        host.folder().join("server.toml"),
        MANIFEST.replace("no-such-compiler", "sh"),
    )
    .unwrap();
    host.describe(|_| {});
    assert_eq!(host.server().unwrap().prebuilt_used(), None);
}
