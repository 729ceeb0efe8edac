mod cargo;
mod compiled;
mod jvm;
mod node;
mod python;
mod scripts;

use std::path::Path;

use super::super::manifest_text::{self, Draft};
use super::*;
use crate::server::manifest::Manifest;

/// What is found in a folder of these files, as the server.toml that is written says it, and what is to be checked.
fn written(files: &[(&str, &str)]) -> (Manifest, Vec<String>) {
    manifest_of(made(files).path()).unwrap()
}

fn made(files: &[(&str, &str)]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    dir
}

fn manifest_of(folder: &Path) -> Option<(Manifest, Vec<String>)> {
    let mut sources = Sources::read(folder);
    let project = look(folder, "mine", &sources)?;
    sources.leave_out(&project.of_others);
    let listening = project.listens(&sources);
    let workloads: Vec<String> = sources
        .answers_plaintext()
        .then(|| "plaintext".to_owned())
        .into_iter()
        .collect();
    let draft = Draft {
        name: "mine",
        project: &project,
        listening: &listening,
        workloads: &workloads,
    };
    let text = manifest_text::of(&draft);
    let manifest =
        Manifest::parse(&text, Path::new("server.toml"), Some("mine")).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(manifest.uses_port(), "{text}");
    Some((manifest, project.checks))
}

fn line(words: &[String]) -> String {
    words.join(" ")
}

#[test]
fn a_folder_that_is_read_from_where_it_is_started() {
    let package = r#"{"scripts": {"start": "node app.js"}}"#;
    let app = "app.use(express.static('public')); app.listen(process.env.PORT)";
    let page = ("public/index.html", "x");
    let (manifest, checks) = written(&[("package.json", package), ("app.js", app), page]);
    let begin = manifest.run.command[..5].join(" ");
    assert_eq!(begin, "sh -c cd \"$1\" && shift && exec \"$@\" sh {server_dir}");
    assert_eq!(line(&manifest.run.command[5..]), "node {server_dir}/app.js");
    assert!(checks[0].contains("public/"), "{checks:?}");
    let own = app.replace("'public'", "path.join(__dirname, 'public')");
    let (manifest, _) = written(&[("package.json", package), ("app.js", &own), page]);
    assert_eq!(manifest.run.command[0], "node");
}

#[test]
fn a_program_that_was_built_elsewhere_and_a_folder_with_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let dir = tempfile::tempdir().unwrap();
    assert!(manifest_of(dir.path()).is_none());
    let program = dir.path().join("web");
    std::fs::write(&program, "\u{7f}ELF").unwrap();
    assert!(manifest_of(dir.path()).is_none());
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let (manifest, _) = manifest_of(dir.path()).unwrap();
    assert_eq!(line(&manifest.run.command), "{server_dir}/web");
    // A folder's name and what stands in its files can be anything.
    let odd = "[package]\nname = \"a{b}\"\n";
    std::fs::write(dir.path().join("Cargo.toml"), odd).unwrap();
    let (manifest, _) = manifest_of(dir.path()).unwrap();
    assert_eq!(line(&manifest.run.command), "{server_dir}/web");
}

#[test]
fn a_license_is_told_by_its_text_and_a_contract_by_its_words() {
    let main = "import os\nos.environ['PORT']\n# /plaintext: Hello, World!\n";
    let (manifest, _) = written(&[("app.py", main), ("LICENSE", "MIT License\n\nCopyright\n")]);
    assert_eq!(manifest.license, "MIT");
    assert_eq!(manifest.workloads.len(), 1);
}

/// A hint that differs from theirs is one of them grown old.
#[test]
fn a_mac_is_helped_as_for_the_bundled_servers() {
    let bundled = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../servers").join(name);
        Manifest::read(&folder, Some(name)).unwrap().requires
    };
    let cargo = "[package]\nname = \"hello\"\nversion = \"1.0.0\"\n";
    let (rust, _) = written(&[("Cargo.toml", cargo), ("src/main.rs", "fn main() {}")]);
    assert_eq!(rust.requires.homebrew, bundled("axum").homebrew);
    let pom = "<project><artifactId>hello</artifactId><version>1</version></project>";
    let (java, _) = written(&[("pom.xml", pom)]);
    let netty = bundled("netty");
    assert_eq!(
        (&java.requires.homebrew, &java.requires.macos),
        (&netty.homebrew, &netty.macos)
    );
    let (gradle, _) = written(&[("build.gradle", ""), ("gradlew", "")]);
    assert_eq!(
        gradle.requires.macos.unwrap(),
        netty.macos.unwrap().replace(" maven", "")
    );
}
