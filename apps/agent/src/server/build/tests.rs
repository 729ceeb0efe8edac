use std::path::PathBuf;
use std::sync::Arc;

use super::*;
use crate::assets::Assets;

#[test]
fn another_compiler_makes_another_build() {
    let server = Server::find(&Assets::locate(None).unwrap(), "epoll").unwrap();
    let with = |workers: i64, cc: &str| {
        let options = BTreeMap::from([("workers".to_owned(), workers)]);
        key(&server, &options, &[format!("cc {cc}")])
    };
    assert_eq!(with(1, "gcc 13"), with(1, "gcc 13"));
    assert_ne!(with(1, "gcc 13"), with(1, "gcc 14"));
    // The number of workers is no matter of the build.
    assert_eq!(with(1, "gcc 13"), with(2, "gcc 13"));
}

/// Scripts that a build installs name the interpreter beside them by its whole path.
#[tokio::test]
async fn a_build_stays_where_it_was_built_and_a_forced_one_takes_its_place() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("placed");
    std::fs::create_dir(&folder).unwrap();
    let manifest = r#"schema = 1
name = "placed"
title = "Placed"
language = "C"
summary = "Writes down where it was built."
license = "MIT"
workloads = ["plaintext"]
[requires]
os = ["linux", "macos"]
commands = ["sh"]
[build]
steps = [["sh", "-c", "echo {build_dir} > {build_dir}/place"]]
[run]
command = ["{build_dir}/place"]
env = {}
ready = { path = "/plaintext", within_s = 10 }
"#;
    std::fs::write(folder.join("server.toml"), manifest).unwrap();
    let server = Server::find(&Assets::locate(None).unwrap(), &folder.display().to_string()).unwrap();
    let state = State::locate(Some(&dir.path().join("state")));
    let mut places = Vec::new();
    for (force, cached) in [(false, false), (false, true), (true, false)] {
        let quiet: OnLine = Arc::new(|_, _| {});
        let built = build(&server, &BTreeMap::new(), &state, force, quiet).await.unwrap();
        assert_eq!(built.cached, cached);
        let place = std::fs::read_to_string(built.build_dir.join("place")).unwrap();
        let place = PathBuf::from(place.trim());
        assert_eq!(place.canonicalize().unwrap(), built.build_dir.canonicalize().unwrap());
        places.push(place);
    }
    assert!(places[0] == places[1] && !places[0].exists() && places[2].exists());
    // The build and the link to it.
    assert_eq!(std::fs::read_dir(state.dir("builds").unwrap()).unwrap().count(), 2);
}
