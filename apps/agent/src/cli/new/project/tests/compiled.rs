//! Programs that are compiled: Cargo, Go, Java, make, and those of others.rs.

use super::*;

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
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/hello");
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
    // The one that uses what servers use, below a package that is only a library; and a program beside the library.
    let root = "[package]\nname = \"root\"\n[workspace]\nmembers = [\"crates/*\"]\n";
    let web = format!("{b}[dependencies]\naxum = \"0.8\"\n");
    let (manifest, _) = written(&[
        ("Cargo.toml", root),
        ("src/lib.rs", ""),
        ("crates/a/Cargo.toml", &a),
        ("crates/a/src/main.rs", ""),
        ("crates/b/Cargo.toml", &web),
        ("crates/b/src/bin/migrate.rs", ""),
        ("crates/b/src/bin/server.rs", ""),
    ]);
    assert!(line(&manifest.build.steps[0]).starts_with("cargo install --path crates/b --bin server "));
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

    let gin = "package main\nimport \"github.com/gin-gonic/gin\"\nfunc main() { r := gin.Default(); r.Run() }\n";
    let cli = ("cmd/admin/main.go", "package main");
    let generator = ("gen.go", "//go:build ignore\n\npackage main\n");
    let module = ("go.mod", "module x\nreplace y => ../y\n");
    let files = [module, generator, cli, ("cmd/server/main.go", gin)];
    let (manifest, checks) = written(&files);
    assert_eq!(manifest.build.steps[0].last().unwrap(), "./cmd/server");
    assert_eq!(manifest.run.env["PORT"], "{port}");
    assert!(
        checks[0].contains("./cmd/admin") && checks[1].contains("the path from there to this folder"),
        "{checks:?}"
    );
}

#[test]
fn several_modules_of_go() {
    let main =
        "package main\nimport \"net/http\"\nfunc main() { http.ListenAndServe(\":\"+os.Getenv(\"PORT\"), nil) }\n";
    let migrate = ("services/api/cmd/migrate/main.go", "package main");
    let files = [
        ("go.work", "go 1.22\n\nuse (\n\t./services/api\n\t./libs/common\n)\n"),
        ("services/api/go.mod", "module example.org/api\n"),
        ("libs/common/go.mod", "module example.org/common\n"),
        ("services/api/cmd/shortener/main.go", main),
        migrate,
    ];
    let (manifest, checks) = written(&files);
    assert_eq!(manifest.build.steps[0].last().unwrap(), "./services/api/cmd/shortener");
    assert_eq!(manifest.run.env["PORT"], "{port}");
    assert!(checks.iter().all(|check| check.contains("cmd/migrate")), "{checks:?}");

    let dir = made(&files);
    let (_, checks) = manifest_of(&dir.path().join("services/api")).unwrap();
    assert!(
        checks
            .iter()
            .any(|check| check.contains("go.work says which modules are built together")),
        "{checks:?}"
    );
}

#[test]
fn another_program_of_go_does_not_say_where_one_listens() {
    let server = "package main\nimport \"net/http\"\nfunc main() { http.ListenAndServe(\":8080\", nil) }\n";
    let load = "package main\nfunc main() { flag.Int(\"port\", 80, \"\") }\n";
    let files = [
        ("go.mod", "module x\n"),
        ("cmd/load/main.go", load),
        (
            "cmd/load/internal/a.go",
            "package internal\nvar port = os.Getenv(\"PORT\")\n",
        ),
        ("cmd/server/main.go", server),
    ];
    let (manifest, _) = written(&files);
    assert_eq!(manifest.run.port, Some(8080), "{:?}", manifest.run.command);
    // What it may import does.
    let shared = (
        "internal/config/a.go",
        "package config\nvar addr = os.Getenv(\"LISTEN_ADDR\")\n",
    );
    let (manifest, _) = written(&[&files[..], &[shared]].concat());
    assert_eq!(manifest.run.env["LISTEN_ADDR"], "{address}:{port}");
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
    // A jar of its own classes alone runs beside what it needs.
    let plain = "<project><artifactId>hello</artifactId><version>1.0</version></project>";
    let main = "package org.example;\n\npublic class Main {\n  public static void main(String[] args) {}\n}";
    let (manifest, _) = written(&[("pom.xml", plain), ("src/main/java/org/example/Main.java", main)]);
    assert_eq!(
        line(&manifest.run.command),
        "java -cp {build_dir}/server.jar:{build_dir}/lib/* org.example.Main"
    );
    assert!(line(&manifest.build.steps[0]).ends_with("-DoutputDirectory={build_dir}/lib"));
    let named = plain.replace("</project>", "<build><mainClass>a.B</mainClass></build></project>");
    let (manifest, _) = written(&[("pom.xml", &named), ("A.java", "getenv(\"PORT\")")]);
    assert!(line(&manifest.run.command).ends_with("/lib/* a.B"));
    let server = "class Hello { public static void main(String... args) { new InetSocketAddress(8000); } }";
    let client = "class Client { public static void main(String[] args) {} }";
    let (manifest, checks) = written(&[("Client.java", client), ("Server.java", server)]);
    assert_eq!(
        line(&manifest.build.steps[0]),
        "javac -d {build_dir} {server_dir}/Client.java {server_dir}/Server.java"
    );
    // Nothing says that it is the one.
    assert!(
        checks[0].contains("Client") && checks[0].contains("Hello"),
        "{checks:?}"
    );
    let server = server.replace("Hello", "Server");
    let (manifest, _) = written(&[("Client.java", client), ("Server.java", &server)]);
    assert_eq!(line(&manifest.run.command), "java -cp {build_dir} Server");
    assert_eq!(manifest.run.port, Some(8000));
    let kotlin = (
        "src/main/kotlin/main.kt",
        "package a.b // x\n\nfun main() { getenv(\"PORT\") }",
    );
    let (manifest, _) = written(&[("pom.xml", plain), kotlin]);
    assert_eq!(manifest.language, "Kotlin");
    // As start.spring.io has it.
    let (manifest, _) = written(&[("pom.xml", pom), ("mvnw", "")]);
    assert_eq!(manifest.build.steps[0][0], "{server_dir}/mvnw");
    assert_eq!(manifest.requires.commands, ["java", "javac"]);

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
    let spring = "plugins { id(\"org.springframework.boot\") version \"4\" }";
    let (manifest, _) = written(&[
        ("settings.gradle.kts", "include(\"web app\")"),
        ("web app/build.gradle.kts", spring),
    ]);
    let copy = "sh -c cp \"$1\"build/libs/*.jar \"$2\" sh {server_dir}/web app/ {build_dir}/server.jar";
    assert_eq!(line(&manifest.build.steps[1]), copy);
    // As `gradle init` has it.
    let (manifest, _) = written(&[
        (
            "settings.gradle.kts",
            "rootProject.name = \"web\"\ninclude(\"app\", \"lib\")",
        ),
        ("gradlew", ""),
        ("lib/build.gradle.kts", "plugins { `java-library` }"),
        ("app/build.gradle.kts", "plugins { application }"),
        ("app/src/main/kotlin/App.kt", "System.getenv(\"PORT\")"),
    ]);
    assert_eq!(
        line(&manifest.build.steps[0]),
        "{server_dir}/gradlew --no-daemon --quiet :app:installDist"
    );
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp -R {server_dir}/app/build/install/app/. {build_dir}"
    );
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/app");
    assert_eq!(manifest.language, "Kotlin");
}

#[test]
fn make_and_cmake() {
    let makefile = "CC = cc\nall: web\nweb: main.c\n\tcc -O2 -o web main.c\nclean:\n\trm web\n";
    let (manifest, _) = written(&[("Makefile", makefile), ("main.c", "getenv(\"PORT\")")]);
    assert_eq!(line(&manifest.build.steps[1]), "cp {server_dir}/web {build_dir}/server");
    let cmake = "project(x)\nadd_executable(web main.cpp)\n";
    let (manifest, _) = written(&[("CMakeLists.txt", cmake), ("main.cpp", "getenv(\"PORT\")")]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/web");
    assert_eq!(manifest.language, "C++");

    let makefile = "BUILD := build\nTARGET = $(BUILD)/server\nall: $(TARGET)\n$(TARGET): main.c\n\t$(CC) -o $@ $^\n";
    let (manifest, _) = written(&[("Makefile", makefile)]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp {server_dir}/build/server {build_dir}/server"
    );
    // Filled in to its end, the last of these would be longer than any memory.
    let doubled = |i: u32| format!("V{i} = $(V{0})$(V{0})\n", i - 1);
    let makefile = (1..60).map(doubled).collect::<String>() + "web: main.c\n\tcc -o web $(V59)\n";
    let (manifest, _) = written(&[("Makefile", &makefile)]);
    assert_eq!(line(&manifest.build.steps[1]), "cp {server_dir}/web {build_dir}/server");
    let below = "add_executable(${PROJECT_NAME} main.c)\nadd_executable(tool tool.c)\n";
    let (manifest, _) = written(&[
        ("CMakeLists.txt", "project (hello C)\nadd_subdirectory(src)\n"),
        ("src/CMakeLists.txt", below),
    ]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/hello");
}

#[test]
fn dotnet_zig_elixir_and_caddy() {
    let web = "<Project Sdk=\"Microsoft.NET.Sdk.Web\"></Project>";
    let library = "<Project Sdk=\"Microsoft.NET.Sdk\"></Project>";
    let (manifest, checks) = written(&[("src/Lib/Lib.csproj", library), ("src/Api/Api.csproj", web)]);
    assert_eq!(
        line(&manifest.build.steps[0]),
        "dotnet publish src/Api/Api.csproj --configuration Release --output {build_dir}"
    );
    assert_eq!(line(&manifest.run.command), "dotnet {build_dir}/Api.dll");
    assert_eq!(manifest.run.env["ASPNETCORE_URLS"], "http://{address}:{port}");
    assert!(checks.is_empty(), "{checks:?}");

    let native = web.replace("></", "><PropertyGroup><PublishAot>true</PublishAot></PropertyGroup></");
    let (manifest, _) = written(&[("Api.csproj", &native)]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/Api");
    assert!(!manifest.jit);

    for (call, port) in [
        ("app.Run(\"http://localhost:5000\");", Some(5000)),
        ("builder.WebHost.UseUrls(\"http://*:5001/\");", Some(5001)),
        ("app.Urls.Add(\"http://0.0.0.0:5002\");", Some(5002)),
        (
            "builder.WebHost.ConfigureKestrel(o => o.ListenAnyIP(5003));",
            Some(5003),
        ),
        ("o.Listen(IPAddress.Loopback, 5004);", Some(5004)),
        ("app.Run(); http.GetAsync(\"http://localhost:5005\");", None),
    ] {
        let (manifest, _) = written(&[("Api/Api.csproj", web), ("Api/Program.cs", call)]);
        assert_eq!(manifest.run.port, port, "{call}");
        assert_eq!(
            manifest.run.env.contains_key("ASPNETCORE_URLS"),
            port.is_none(),
            "{call}"
        );
    }
    let told = "app.Run($\"http://0.0.0.0:{Environment.GetEnvironmentVariable(\"PORT\")}\");";
    let tests = ("Tests/A.cs", "host.UseUrls(\"http://localhost:7000\");");
    let (manifest, _) = written(&[("Api/Api.csproj", web), ("Api/Program.cs", told), tests]);
    assert_eq!((manifest.run.port, manifest.run.env["PORT"].as_str()), (None, "{port}"));
    let (manifest, _) = written(&[("Api/Api.csproj", web), ("Api/Program.cs", "app.Run();"), tests]);
    assert_eq!(manifest.run.env["ASPNETCORE_URLS"], "http://{address}:{port}");

    let build = "const exe = b.addExecutable(.{\n    .name = \"web\",\n});";
    let (manifest, _) = written(&[("build.zig", build), ("src/main.zig", "")]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/web");

    let mix = "[\n app: :hello,\n version: \"0.1.0\"]\n{:phoenix, \"~> 1.8\"}, {:ecto_sql, \"~> 3\"}";
    let runtime = "config :hello, Endpoint, http: [port: String.to_integer(System.get_env(\"PORT\", \"4000\"))]";
    let (manifest, checks) = written(&[("mix.exs", mix), ("config/runtime.exs", runtime)]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/release/bin/hello start");
    assert_eq!(
        (&*manifest.run.env["PHX_SERVER"], &*manifest.run.env["PORT"]),
        ("true", "{port}")
    );
    assert!(manifest.run.env["SECRET_KEY_BASE"].len() >= 64 && checks[0].contains("DATABASE_URL"));

    for own in [":2015\n\nrespond hello", "http://:2015 {\n\trespond hello\n}"] {
        let (manifest, checks) = written(&[("Caddyfile", own)]);
        assert_eq!((manifest.run.port, checks.len()), (Some(2015), 0), "{own}");
    }
    let (manifest, _) = written(&[("Caddyfile", ":{$PORT}\nrespond hello")]);
    assert_eq!(manifest.run.port, None);
    assert_eq!(manifest.run.command[4], "{server_dir}");
    assert_eq!(line(&manifest.run.command[5..]), "caddy run --config Caddyfile");
}
