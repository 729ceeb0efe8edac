use std::path::Path;

use super::*;

/// The form in the browser has the catalogue alone.
#[test]
fn quick_warms_those_up_that_the_catalogue_says_compile_while_they_run() {
    let assets = Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let wanted = |name: &str| Wanted {
        label: None,
        named: name.to_owned(),
        server: Server::find(&assets, name).unwrap(),
        options: BTreeMap::new(),
    };
    let warmup_s = |names: &[&str]| Quick::of(&names.iter().map(|n| wanted(n)).collect::<Vec<_>>()).warmup_s;
    for server in server::catalogue(&assets) {
        let longer = warmup_s(&[&server.name]) > 1.0;
        assert_eq!(server.jit, Some(longer), "{}", server.name);
    }
    assert_eq!((warmup_s(&["epoll"]), warmup_s(&["epoll", "netty"])), (0.2, 2.0));
    assert_eq!(warmup_s(&["nginx-lua"]), 2.0);
}

#[test]
fn a_java_server_that_does_not_say_that_it_compiles_is_warmed_up_longer() {
    let assets = Assets::at(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")).unwrap();
    let mut server = Server::find(&assets, "netty").unwrap();
    server.manifest.jit = false;
    let silent = Wanted {
        label: None,
        named: "netty".to_owned(),
        server,
        options: BTreeMap::new(),
    };
    assert_eq!(Quick::of(&[silent]).warmup_s, 2.0);
}

#[test]
fn a_scenario_is_a_name_or_a_file_and_both_take_numbers() {
    for (text, file) in [
        ("files-1k-ab", None),
        ("files-1k-ab:connections=2,duration=1.5s", None),
        ("load.toml", Some(("load.toml", None))),
        ("./a:b/load.toml", Some(("./a:b/load.toml", None))),
        (
            "./load.toml:connections=2",
            Some(("./load.toml", Some("connections=2"))),
        ),
    ] {
        assert_eq!(scenario_file(text), file, "{text}");
    }
}

#[test]
fn a_file_whose_name_is_taken_gets_a_number_and_is_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("quick.toml");
    std::fs::write(&file, "path = \"/\"").unwrap();
    let path = file.display().to_string();
    let taken = Scenario {
        id: "quick".into(),
        ..scenario::toml_file::read(&file).unwrap()
    };
    let typed = [path.clone(), format!("{path}:connections=2"), "other".to_owned()];
    let (references, local) = named(&typed, &[taken]).unwrap();
    assert_eq!(references, ["quick.2", "quick.2:connections=2", "other"]);
    assert_eq!(local.iter().map(|s| s.id.as_str()).collect::<Vec<_>>(), ["quick.2"]);
}
