//! Cargo: members of a workspace, and which sources are the program's own.

use super::*;

#[test]
fn only_the_started_package_and_what_it_is_built_with_say_where_it_listens() {
    let shared =
        "[workspace]\nmembers = [\"crates/*\"]\n[workspace.dependencies]\nsettings = { path = \"crates/settings\" }\n";
    let web = "[package]\nname = \"web\"\n[dependencies]\naxum = \"0.8\"\nsettings.workspace = true\n";
    let package = |name: &str| format!("[package]\nname = \"{name}\"\n");
    let (settings, load) = (package("settings"), package("load"));
    let of_load = "#[arg(long)]\nport: u16,\n// /plaintext Hello, World!\nstd::env::var(\"PORT\")";
    let files = [
        ("Cargo.toml", shared),
        ("Cargo.lock", ""),
        ("crates/load/Cargo.toml", load.as_str()),
        ("crates/load/src/main.rs", of_load),
        ("crates/settings/Cargo.toml", settings.as_str()),
        ("crates/settings/src/lib.rs", "std::env::var(\"HTTP_PORT\")"),
        ("crates/web/Cargo.toml", web),
        ("crates/web/src/main.rs", "fn main() {}"),
    ];
    let (manifest, _) = written(&files);
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/web");
    assert_eq!(manifest.run.env["HTTP_PORT"], "{port}");
    assert!(!manifest.run.env.contains_key("PORT"), "{:?}", manifest.run.env);
    assert!(manifest.workloads.is_empty());
}

#[test]
fn other_programs_of_the_package_do_not_say_where_it_listens() {
    let package = "[package]\nname = \"web\"\n[dependencies]\nload = { path = \"load\" }\n";
    let (manifest, _) = written(&[
        ("Cargo.toml", package),
        ("Cargo.lock", ""),
        ("load/Cargo.toml", "[package]\nname = \"load\"\n"),
        ("load/src/lib.rs", ""),
        ("fuzz/Cargo.toml", "[package]\nname = \"fuzz\"\n"),
        ("fuzz/src/main.rs", "std::env::var(\"LISTEN_PORT\")"),
        ("src/main.rs", "TcpListener::bind(\"0.0.0.0:3000\")"),
        ("src/bin/client/main.rs", "mod args;"),
        ("src/bin/client/args.rs", "std::env::var(\"PORT\")"),
        ("src/bin/load.rs", "std::env::var(\"APP_PORT\")"),
    ]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/web");
    assert_eq!(manifest.run.port, Some(3000), "{:?}", manifest.run.env);
}

#[test]
fn a_member_is_told_of_the_workspace_above_however_it_is_in_it() {
    let plain = "[package]\nname = \"web\"\n[dependencies]\naxum = \"0.8\"\n";
    let checks_of = |root: &str, member: &str| {
        let files = [
            ("Cargo.toml", root),
            ("Cargo.lock", ""),
            ("crates/web/Cargo.toml", member),
            ("crates/web/src/main.rs", "fn main() {}"),
        ];
        manifest_of(&made(&files).path().join("crates/web")).unwrap().1
    };
    let inherits = format!("{plain}tokio = {{ workspace = true }}\n");
    let needed = "[package]\nname = \"root\"\n[workspace]\n[dependencies]\nweb = { path = \"crates/web\" }\n";
    for (root, member) in [
        ("[workspace]\nmembers = [\"crates/*\"]\n", plain),
        ("[workspace]\nmembers = [\"./crates/web\"]\n", plain),
        ("[workspace]\nmembers = [\"crates/*\"]\n", &inherits),
        (needed, plain),
    ] {
        let checks = checks_of(root, member);
        // No lock file can be made here, so nothing says so.
        assert_eq!(checks.len(), 1, "{root}: {checks:?}");
        assert!(
            checks[0].ends_with("run `rigmark new server` in the workspace's own folder."),
            "{checks:?}"
        );
    }
    for root in [
        "[workspace]\nmembers = [\"crates/*\"]\nexclude = [\"crates/web\"]\n",
        "[workspace]\nmembers = [\"other/*\"]\n",
        "[package]\nname = \"root\"\n",
    ] {
        let checks = checks_of(root, plain);
        assert!(
            checks.len() == 1 && checks[0].contains("cargo generate-lockfile"),
            "{root}: {checks:?}"
        );
    }
}
