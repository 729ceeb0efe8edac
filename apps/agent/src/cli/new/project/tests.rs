use std::path::Path;

use super::super::listening;
use super::super::manifest_text::{self, Draft};
use super::*;
use crate::server::manifest::Manifest;

/// What is found in a folder of these files, as the server.toml that is written says it, and what is to be checked.
fn written(files: &[(&str, &str)]) -> (Manifest, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    manifest_of(dir.path()).unwrap()
}

fn manifest_of(folder: &Path) -> Option<(Manifest, Vec<String>)> {
    let sources = Sources::read(folder);
    let project = look(folder, "mine", &sources)?;
    let listening = project.listening.clone().unwrap_or_else(|| listening::look(&sources));
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
fn a_cargo_package() {
    let cargo = "[package]\nname = \"hello\"\nversion = \"1.0.0\"\nlicense = \"MIT\"\n";
    let main = "fn main() { let p = std::env::var(\"PORT\"); }";
    let (manifest, checks) = written(&[("Cargo.toml", cargo), ("src/main.rs", main), ("Cargo.lock", "")]);
    assert_eq!(
        line(&manifest.build.steps[0]),
        "cargo install --path . --bin hello --locked --root {build_dir} --target-dir {build_dir}/target"
    );
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/hello");
    assert_eq!(
        (manifest.run.env["PORT"].as_str(), manifest.license.as_str()),
        ("{port}", "MIT")
    );
    assert!(manifest.workloads.is_empty() && checks.is_empty(), "{checks:?}");
    assert_eq!(manifest.run.ready, Default::default());

    let bins =
        format!("{cargo}[[bin]]\nname = \"a\"\n[[bin]]\nname = \"b\"\n[dependencies]\nx = {{ workspace = true }}\n");
    let (manifest, checks) = written(&[("Cargo.toml", &bins), ("src/main.rs", main)]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/a");
    assert!(!line(&manifest.build.steps[0]).contains("--locked"));
    assert_eq!(checks.len(), 3, "{checks:?}");
}

#[test]
fn the_programs_of_a_cargo_workspace() {
    let root = "[workspace]\nmembers = [\"crates/*\", \"lib\"]\n";
    let member = |name: &str| format!("[package]\nname = \"{name}\"\n");
    let (a, b, lib) = (member("a"), member("b"), member("lib"));
    let (manifest, checks) = written(&[
        ("Cargo.toml", root),
        ("Cargo.lock", ""),
        ("crates/a/Cargo.toml", &a),
        ("crates/a/src/main.rs", ""),
        ("crates/b/Cargo.toml", &b),
        ("crates/b/src/main.rs", ""),
        ("lib/Cargo.toml", &lib),
        ("lib/src/lib.rs", ""),
    ]);
    assert!(line(&manifest.build.steps[0]).starts_with("cargo install --path crates/a --bin a "));
    assert!(
        checks[0].contains("several programs; crates/a was taken") && checks[0].contains("crates/b"),
        "{checks:?}"
    );
}

#[test]
fn a_go_module() {
    let main = "package main\nimport \"flag\"\nfunc main() { flag.String(\"addr\", \":8080\", \"\") }\n";
    let (manifest, checks) = written(&[("go.mod", "module example.org/hello\n\ngo 1.22\n"), ("main.go", main)]);
    let build = "go build -trimpath -buildvcs=false -o {build_dir}/mine .";
    assert_eq!(line(&manifest.build.steps[0]), build);
    assert_eq!(line(&manifest.run.command), "{build_dir}/mine --addr {address}:{port}");
    assert!(checks.is_empty(), "{checks:?}");

    let needs = "module x\nrequire golang.org/x/net v0.1.0\n";
    let (manifest, checks) = written(&[("go.mod", needs), ("cmd/web/main.go", main), ("lib.go", "package lib")]);
    assert_eq!(manifest.build.steps[0].last().unwrap(), "./cmd/web");
    assert!(checks[0].contains("no go.sum"), "{checks:?}");
}

#[test]
fn maven_and_gradle() {
    let pom = "<project><parent><artifactId>p</artifactId><version>9</version></parent>\
               <artifactId>web</artifactId><version>1.2</version><dependencies><dependency><artifactId>spring-boot-starter\
               </artifactId></dependency></dependencies></project>";
    let (manifest, _) = written(&[("pom.xml", pom)]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp {server_dir}/target/web-1.2.jar {build_dir}/server.jar"
    );
    let command = "java -jar {build_dir}/server.jar --server.address={address} --server.port={port}";
    assert_eq!(line(&manifest.run.command), command);
    assert!(manifest.jit);
    assert_eq!(manifest.run.ready.within_s, 30.0);

    let (manifest, _) = written(&[
        ("build.gradle.kts", "plugins { application }"),
        ("settings.gradle.kts", "rootProject.name = \"web\""),
        ("gradlew", ""),
        ("src/main/java/Main.java", "System.getenv(\"PORT\")"),
    ]);
    assert_eq!(
        line(&manifest.build.steps[0]),
        "{server_dir}/gradlew --no-daemon --quiet installDist"
    );
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/web");
    assert_eq!(manifest.requires.commands, ["java", "javac"]);
}

#[test]
fn rocket_is_told_by_its_own_settings() {
    let package = "[package]\nname = \"web\"\n[dependencies]\nrocket = \"0.5\"\n";
    let (manifest, checks) = written(&[
        ("Cargo.toml", package),
        ("Cargo.lock", ""),
        ("src/main.rs", "#[launch]"),
    ]);
    assert_eq!(manifest.run.env["ROCKET_PORT"], "{port}");
    assert_eq!(manifest.run.env["ROCKET_ADDRESS"], "{address}");
    assert!(checks.is_empty(), "{checks:?}");
}

#[test]
fn a_package_for_node() {
    let server = "http.createServer().listen(process.env.PORT)";
    let (manifest, checks) = written(&[
        (
            "package.json",
            r#"{"name": "web", "scripts": {"start": "node --no-warnings ./server.js --quiet"}}"#,
        ),
        ("server.js", server),
    ]);
    assert!(manifest.build.steps.is_empty() && checks.is_empty(), "{checks:?}");
    assert_eq!(
        line(&manifest.run.command),
        "node --no-warnings {server_dir}/server.js --quiet"
    );

    let needs =
        r#"{"name": "web", "main": "dist/index.js", "dependencies": {"fastify": "5"}, "scripts": {"build": "tsc"}}"#;
    let (manifest, checks) = written(&[
        ("package.json", needs),
        ("package-lock.json", "{}"),
        ("src/index.ts", server),
    ]);
    let steps: Vec<String> = manifest.build.steps.iter().map(|step| line(step)).collect();
    assert_eq!(
        steps,
        [
            "cp -R {server_dir}/. {build_dir}",
            "npm --prefix {build_dir} ci --no-audit --no-fund",
            "npm --prefix {build_dir} run build"
        ]
    );
    assert_eq!(line(&manifest.run.command), "node {build_dir}/dist/index.js");
    assert!(checks.is_empty(), "{checks:?}");
}

#[test]
fn a_package_for_bun() {
    let server = "Bun.serve({ port: process.env.PORT ?? 3000, fetch })";
    let package = r#"{"name": "web", "module": "index.ts", "dependencies": {"elysia": "1"}}"#;
    let (manifest, checks) = written(&[("package.json", package), ("bun.lock", "{}"), ("index.ts", server)]);
    let steps: Vec<String> = manifest.build.steps.iter().map(|step| line(step)).collect();
    assert_eq!(
        steps,
        [
            "cp -R {server_dir}/. {build_dir}",
            "bun install --cwd {build_dir} --frozen-lockfile --production",
        ]
    );
    assert_eq!(line(&manifest.run.command), "bun {build_dir}/index.ts");
    assert_eq!(manifest.requires.commands, ["bun"]);
    assert!(checks.is_empty(), "{checks:?}");

    let script = |start: &str| {
        let package = format!(r#"{{"name": "web", "scripts": {{"start": "{start}"}}}}"#);
        let (manifest, checks) = written(&[("package.json", &package), ("index.ts", server)]);
        (line(&manifest.run.command), checks.len())
    };
    assert_eq!(
        script("bun run --smol index.ts"),
        ("bun --smol {server_dir}/index.ts".to_owned(), 0)
    );
    // Another script, which nobody here reads.
    assert_eq!(script("bun dev").1, 2);
}

#[test]
fn a_program_for_deno() {
    let server = "Deno.serve({ port: 8000 }, () => new Response('Hello'));";
    let (manifest, checks) = written(&[("main.ts", server)]);
    assert_eq!(line(&manifest.run.command), "deno run --allow-all {server_dir}/main.ts");
    assert_eq!(manifest.run.env["DENO_SERVE_ADDRESS"], "tcp:{address}:{port}");
    assert!(checks.is_empty(), "{checks:?}");

    let task = |start: &str| {
        let settings = format!(r#"{{"tasks": {{"start": "{start}"}}}}"#);
        let (manifest, checks) = written(&[("deno.json", &settings), ("main.ts", server)]);
        (line(&manifest.run.command), checks.len())
    };
    assert_eq!(
        task("deno run --allow-net ./main.ts"),
        ("deno run --allow-net {server_dir}/main.ts".to_owned(), 0)
    );
    assert_eq!(
        task("deno serve --parallel main.ts"),
        ("deno serve --parallel --allow-net {server_dir}/main.ts".to_owned(), 0)
    );
    assert_eq!(task("deno task build && deno run main.ts").1, 1);

    let other = "import http from 'node:http'; http.createServer().listen(Deno.env.get('PORT'));";
    let (manifest, _) = written(&[("deno.json", "{}"), ("main.ts", other)]);
    assert!(!manifest.run.env.contains_key("DENO_SERVE_ADDRESS"));
    assert_eq!(manifest.run.env["PORT"], "{port}");
}

#[test]
fn python() {
    let own = "import os\nport = int(os.environ['PORT'])\nserver.serve_forever()\n";
    let (manifest, _) = written(&[("server.py", own)]);
    assert_eq!(line(&manifest.run.command), "python3 {server_dir}/server.py");
    let (manifest, _) = written(&[
        ("app.py", "app = FastAPI()"),
        ("requirements.txt", "fastapi==1\nuvicorn==1\n"),
    ]);
    assert_eq!(manifest.build.steps.len(), 2);
    assert!(
        line(&manifest.run.command)
            .starts_with("{build_dir}/venv/bin/python -m uvicorn app:app --app-dir {server_dir}")
    );
}

#[test]
fn make_and_cmake() {
    let makefile = "CC = cc\nall: web\nweb: main.c\n\tcc -O2 -o web main.c\nclean:\n\trm web\n";
    let (manifest, _) = written(&[("Makefile", makefile), ("main.c", "getenv(\"PORT\")")]);
    assert_eq!(line(&manifest.build.steps[1]), "cp {server_dir}/web {build_dir}/server");
    let cmake = "project(x)\nadd_executable(web main.cpp)\n";
    let (manifest, _) = written(&[("CMakeLists.txt", cmake), ("main.cpp", "getenv(\"PORT\")")]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/web");
    assert_eq!(manifest.language, "C++");
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
