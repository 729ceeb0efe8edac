//! On the host's own network a port may be taken; that is said, and never another program measured.

use std::net::TcpListener;
use std::sync::Arc;

use rigmark::assets::Assets;
use rigmark::sandbox::HostNetwork;
use rigmark::server::Server;
use rigmark::server::build::build;
use rigmark::server::launch::Launch;
use rigmark::server::process::ServerProcess;
use rigmark::state::State;

#[tokio::test]
async fn a_port_in_use_is_said_in_one_sentence() {
    let dir = tempfile::tempdir().unwrap();
    let assets = Assets::locate(Some(&crate::support::checkout())).unwrap();
    let state = State::locate(Some(&std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("state")));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let sandbox = HostNetwork::new("a test".into());
    for name in ["epoll", "nginx"] {
        let server = Server::find(&assets, name).unwrap();
        let options = server.manifest.resolve_options(&Default::default()).unwrap();
        let built = build(&server, &options, &state, false, Arc::new(|_, _| {}))
            .await
            .unwrap();
        let launch = Launch {
            manifest: &server.manifest,
            built: &built,
            options: &options,
            address: "127.0.0.1",
            port,
            root: dir.path(),
            work_dir: dir.path(),
        };
        let mut process = ServerProcess::start(&launch, &sandbox, |_| {}, Arc::new(|_, _| {})).unwrap();
        let ended = process.ended().await;
        let message = process.ended_early(ended, &sandbox).await.to_string();
        assert_eq!(
            message,
            format!(
                "{name} could not listen on port {port}, because another program has it; end that program or try again."
            )
        );
    }
}
