//! How a server begins: programs that wait for Enter run on, and what keeps one from running is said.

use std::sync::Arc;

use rigmark::assets::Assets;
use rigmark::sandbox::{HostNetwork, Sandbox};
use rigmark::server::Server;
use rigmark::server::build::build;
use rigmark::server::failure::ServerFailure;
use rigmark::server::launch::Launch;
use rigmark::server::process::ServerProcess;
use rigmark::state::State;

struct Begun {
    process: Result<ServerProcess, ServerFailure>,
    sandbox: HostNetwork,
    port: u16,
    _dir: tempfile::TempDir,
}

/// A server of one command, started.
async fn begin(command: &str) -> Begun {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("mine");
    let work_dir = dir.path().join("work");
    [&folder, &work_dir]
        .iter()
        .for_each(|f| std::fs::create_dir(f).unwrap());
    let manifest = format!(
        "schema = 1\nname = \"mine\"\ntitle = \"Mine\"\nlanguage = \"C\"\nsummary = \"\"\nlicense = \"MIT\"\n\
         [requires]\ncommands = []\n[build]\nsteps = []\n[run]\ncommand = {command}\n"
    );
    std::fs::write(folder.join("server.toml"), manifest).unwrap();
    let assets = Assets::locate(Some(&crate::support::checkout())).unwrap();
    let server = Server::find(&assets, folder.to_str().unwrap()).unwrap();
    let options = server.manifest.resolve_options(&Default::default()).unwrap();
    let state = State::locate(Some(&dir.path().join("state")));
    let built = build(&server, &options, &state, false, Arc::new(|_, _| {}))
        .await
        .unwrap();
    let sandbox = HostNetwork::new("a test".into());
    let port = sandbox.port(None).unwrap();
    let launch = Launch {
        manifest: &server.manifest,
        built: &built,
        options: &options,
        address: "127.0.0.1",
        port,
        root: dir.path(),
        work_dir: &work_dir,
    };
    let process = ServerProcess::start(&launch, &sandbox, |_| {}, Arc::new(|_, _| {}));
    Begun {
        process,
        sandbox,
        port,
        _dir: dir,
    }
}

#[tokio::test]
async fn one_that_runs_until_somebody_presses_enter_is_not_at_the_end_of_its_input() {
    let begun = begin(r#"["sh", "-c", "read line; exit 0"]"#).await;
    let process = begun.process.unwrap();
    let input = std::fs::read_link(format!("/proc/{}/fd/0", process.pid())).unwrap();
    assert!(input.to_string_lossy().starts_with("pipe:"), "{input:?}");
    assert_eq!(process.stop().await, None);
}

/// As nginx, thttpd and others do where nothing tells them not to.
#[tokio::test]
async fn one_that_goes_into_the_background_is_told_so() {
    if !std::process::Command::new("python3")
        .arg("--version")
        .output()
        .is_ok_and(|said| said.status.success())
    {
        eprintln!("python3 is not here.");
        return;
    }
    let code = "import os, socket, time; s = socket.socket(); s.bind(('127.0.0.1', {port})); s.listen(); \
                os.fork() and os._exit(0); time.sleep(600)";
    let begun = begin(&format!(r#"["python3", "-c", "{code}"]"#)).await;
    let mut process = begun.process.unwrap();
    let ended = process.ended().await;
    let message = process.ended_early(ended, &begun.sandbox).await.to_string();
    let start = format!(
        "mine went into the background: the program that was started has ended, and another listens at 127.0.0.1:{};",
        begun.port
    );
    assert!(message.starts_with(&start), "{message}");
}

/// As one that reads a large database before it listens.
#[tokio::test]
async fn one_that_goes_into_the_background_and_listens_late_is_told_so_too() {
    let begun = begin(r#"["sh", "-c", "sleep 600 & exit 0"]"#).await;
    let mut process = begun.process.unwrap();
    let ended = process.ended().await;
    let message = process.ended_early(ended, &begun.sandbox).await.to_string();
    let start = "mine went into the background: the program that was started has ended, and another goes on;";
    assert!(message.starts_with(start), "{message}");
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let begun = begin(r#"["./nothing"]"#).await;
    let message = begun.process.err().unwrap().to_string();
    assert!(
        message.starts_with("mine could not be started, because its program ./nothing was not found"),
        "{message}"
    );
    assert!(message.contains("{server_dir}/"), "{message}");
}
