use super::*;

fn folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    std::fs::create_dir(dir.path().join("src")).unwrap();
    std::fs::write(dir.path().join("src/main.c"), "int main;").unwrap();
    std::fs::write(dir.path().join("server.toml"), "x").unwrap();
    dir
}

#[test]
fn the_hash_is_the_stated_one() {
    let dir = folder();
    let expected = Sha256::digest(b"server.toml\0-\x001\0xsrc/main.c\0-\x009\0int main;");
    assert_eq!(content_hash(dir.path()).unwrap(), hex::encode(expected));
}

#[test]
fn bytes_names_and_the_executable_bit_change_it_and_build_folders_do_not() {
    let dir = folder();
    std::fs::write(dir.path().join("Cargo.toml"), "x").unwrap();
    let before = content_hash(dir.path()).unwrap();
    std::fs::create_dir(dir.path().join("target")).unwrap();
    std::fs::write(dir.path().join("target/out"), "o").unwrap();
    assert_eq!(content_hash(dir.path()).unwrap(), before);

    let file = dir.path().join("src/main.c");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    let executable = content_hash(dir.path()).unwrap();
    assert_ne!(executable, before);
    std::fs::write(&file, "int mair;").unwrap();
    assert_ne!(content_hash(dir.path()).unwrap(), executable);
}

#[test]
fn what_was_vendored_is_there_whole() {
    let dir = folder();
    for package in ["", "vendor/rustversion"] {
        let package = dir.path().join(package);
        std::fs::create_dir_all(package.join("build")).unwrap();
        std::fs::write(package.join("build/build.rs"), "x").unwrap();
        std::fs::write(package.join("Cargo.toml"), "x").unwrap();
    }
    assert_eq!(
        paths(&dir),
        [
            "Cargo.toml",
            "server.toml",
            "src/main.c",
            "vendor/rustversion/Cargo.toml",
            "vendor/rustversion/build/build.rs"
        ]
    );
}

fn paths(dir: &tempfile::TempDir) -> Vec<String> {
    items(dir.path()).unwrap().into_iter().map(|item| item.path).collect()
}

#[test]
fn a_folder_named_build_is_left_out_only_beside_a_build_file() {
    let dir = folder();
    for place in ["build", "src/build", "src/target"] {
        std::fs::create_dir(dir.path().join(place)).unwrap();
        std::fs::write(dir.path().join(place).join("one.c"), "x").unwrap();
    }
    let sources = ["server.toml", "src/build/one.c", "src/main.c", "src/target/one.c"];
    assert_eq!(paths(&dir), [&["build/one.c"][..], &sources].concat());
    std::fs::write(dir.path().join("Makefile"), "x").unwrap();
    assert_eq!(paths(&dir), [&["Makefile"][..], &sources].concat());
    // Of .NET, whose projects have any name.
    std::fs::create_dir(dir.path().join("bin")).unwrap();
    std::fs::write(dir.path().join("bin/tool"), "x").unwrap();
    assert!(paths(&dir).contains(&"bin/tool".to_owned()));
    std::fs::write(dir.path().join("api.csproj"), "x").unwrap();
    assert!(!paths(&dir).contains(&"bin/tool".to_owned()));
    std::fs::remove_file(dir.path().join("api.csproj")).unwrap();
    std::fs::remove_dir_all(dir.path().join("bin")).unwrap();
    // As a script of this name.
    std::fs::remove_dir_all(dir.path().join("build")).unwrap();
    std::fs::write(dir.path().join("build"), "x").unwrap();
    assert_eq!(paths(&dir), [&["Makefile", "build"][..], &sources].concat());
}

#[test]
fn what_tools_leave_behind_is_no_part_of_it() {
    let dir = folder();
    let before = paths(&dir);
    let at = |name: &str| dir.path().join(name);
    std::os::unix::fs::symlink("/nix/store/x", at("result")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("run.sock")).unwrap();
    for name in ["env", ".direnv", ".next"] {
        std::fs::create_dir(at(name)).unwrap();
        std::fs::write(at(name).join("pyvenv.cfg"), "x").unwrap();
    }
    assert_eq!(paths(&dir), before);
    // Sources may have these names.
    std::fs::remove_file(at("result")).unwrap();
    std::fs::rename(at("env/pyvenv.cfg"), at("env/a.rs")).unwrap();
    std::fs::write(at("result"), "x").unwrap();
    assert_eq!(paths(&dir), ["env/a.rs", "result", "server.toml", "src/main.c"]);
}

#[test]
fn a_link_counts_as_what_it_leads_to_within_the_folder() {
    let dir = folder();
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, dir.path().join(name)).unwrap();
    link("src/main.c", "main.c");
    link("src", "again");
    link("of-nothing", ".#main.c");
    link("round", "round");
    assert_eq!(paths(&dir), ["again/main.c", "main.c", "server.toml", "src/main.c"]);
    let linked = content_hash(dir.path()).unwrap();
    let links: Vec<Option<String>> = items(dir.path()).unwrap().into_iter().map(|item| item.link).collect();
    assert_eq!(links, [Some("again".to_owned()), None, None, None]);

    let to = tempfile::tempdir().unwrap();
    copy(dir.path(), to.path()).unwrap();
    assert_eq!(content_hash(to.path()).unwrap(), linked);
    assert!(std::fs::symlink_metadata(to.path().join("main.c")).unwrap().is_file());
    std::fs::write(dir.path().join("src/main.c"), "int mair;").unwrap();
    assert_ne!(content_hash(dir.path()).unwrap(), linked);
}

#[test]
fn a_link_to_what_is_not_copied_leads_nowhere() {
    let dir = folder();
    let before = paths(&dir);
    for made in ["node_modules", "target"] {
        std::fs::create_dir(dir.path().join(made)).unwrap();
        std::fs::write(dir.path().join(made).join("tool"), "x").unwrap();
        std::os::unix::fs::symlink(format!("../{made}/tool"), dir.path().join(format!("src/{made}-tool"))).unwrap();
    }
    std::fs::write(dir.path().join("Cargo.toml"), "x").unwrap();
    assert_eq!(paths(&dir), [&["Cargo.toml".to_owned()][..], &before].concat());
    // A program of this name is no folder of builds.
    std::os::unix::fs::symlink("src/main.c", dir.path().join("build")).unwrap();
    assert!(paths(&dir).contains(&"build".to_owned()));
}

#[test]
fn links_to_each_other_are_refused_and_many_of_them_are_too_large() {
    let dir = folder();
    for (name, to) in [("a", "b"), ("b", "a")] {
        std::fs::create_dir(dir.path().join(name)).unwrap();
        std::os::unix::fs::symlink(format!("../{to}"), dir.path().join(name).join("x")).unwrap();
    }
    assert!(matches!(items(dir.path()), Err(ContentError::Symlink(_))));
    let dir = folder();
    for level in 0..30 {
        let at = dir.path().join(format!("l{level}"));
        std::fs::create_dir(&at).unwrap();
        for name in ["p", "q"] {
            std::os::unix::fs::symlink(format!("../l{}", level + 1), at.join(name)).unwrap();
        }
    }
    std::fs::create_dir(dir.path().join("l30")).unwrap();
    assert!(matches!(items(dir.path()), Err(ContentError::TooLarge(_))));
}

#[test]
fn a_link_out_of_the_folder_or_around_itself_is_refused() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("AGENTS.md"), "x").unwrap();
    for to in [
        outside.path().join("AGENTS.md"),
        "..".into(),
        "../src".into(),
        ".".into(),
        "../../gone".into(),
    ] {
        let dir = folder();
        std::os::unix::fs::symlink(&to, dir.path().join("src/link")).unwrap();
        let refused = content_hash(dir.path()).unwrap_err();
        assert!(matches!(refused, ContentError::Symlink(_)), "{to:?}: {refused}");
        assert!(refused.to_string().contains("replace the link by a copy"), "{refused}");
    }
}

#[test]
fn a_copy_has_the_same_hash() {
    let dir = folder();
    let to = tempfile::tempdir().unwrap();
    copy(dir.path(), to.path()).unwrap();
    assert_eq!(content_hash(to.path()).unwrap(), content_hash(dir.path()).unwrap());
}
