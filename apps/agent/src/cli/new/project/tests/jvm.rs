//! Frameworks of the JVM, as their first pages and generators write a project.

use super::*;

fn pom(inside: &str) -> String {
    format!("<project><groupId>a</groupId><artifactId>web</artifactId><version>1.0</version>{inside}</project>")
}

const MAIN: (&str, &str) = (
    "src/main/java/a/Main.java",
    "package a;\nclass Main { public static void main(String[] args) { } }",
);

#[test]
fn quarkus_runs_from_the_folder_that_its_build_makes() {
    let plugin = pom("<build><plugin><artifactId>quarkus-maven-plugin</artifactId></plugin></build>");
    let (manifest, checks) = written(&[("pom.xml", &plugin), MAIN]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp -R {server_dir}/target/quarkus-app/. {build_dir}"
    );
    assert_eq!(line(&manifest.run.command), "java -jar {build_dir}/quarkus-run.jar");
    assert_eq!(manifest.run.env["QUARKUS_HTTP_PORT"], "{port}");
    assert_eq!(manifest.run.env["QUARKUS_HTTP_HOST"], "{address}");
    assert!(checks.is_empty(), "{checks:?}");

    let settings = (
        "src/main/resources/application.properties",
        "quarkus.package.jar.type=uber-jar\nquarkus.http.port=9000\n",
    );
    let (manifest, _) = written(&[("pom.xml", &plugin), settings]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp {server_dir}/target/web-1.0-runner.jar {build_dir}/server.jar"
    );
    assert_eq!(line(&manifest.run.command), "java -jar {build_dir}/server.jar");

    let gradle = ("build.gradle", "plugins { id 'java'\n id 'io.quarkus' }");
    let (manifest, _) = written(&[gradle]);
    assert_eq!(
        line(&manifest.build.steps[0]),
        "gradle --no-daemon --quiet quarkusBuild"
    );
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp -R {server_dir}/build/quarkus-app/. {build_dir}"
    );
    assert_eq!(line(&manifest.run.command), "java -jar {build_dir}/quarkus-run.jar");
    let (manifest, _) = written(&[gradle, settings]);
    let copy = "sh -c cp \"$1\"build/*-runner.jar \"$2\" sh {server_dir}/ {build_dir}/server.jar";
    assert_eq!(line(&manifest.build.steps[1]), copy);
}

#[test]
fn micronaut_makes_one_jar_with_maven() {
    let parent = pom(
        "<packaging>${packaging}</packaging><parent><groupId>io.micronaut.platform</groupId><artifactId>micronaut-parent\
         </artifactId><version>4.6.3</version></parent><properties><exec.mainClass>a.Main</exec.mainClass></properties>",
    );
    let (manifest, _) = written(&[("pom.xml", &parent), MAIN]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp {server_dir}/target/web-1.0.jar {build_dir}/server.jar"
    );
    assert_eq!(line(&manifest.run.command), "java -jar {build_dir}/server.jar");
    assert_eq!(manifest.run.env["MICRONAUT_SERVER_PORT"], "{port}");
    assert_eq!(manifest.run.env["MICRONAUT_SERVER_HOST"], "{address}");

    let gradle = "plugins { id(\"io.micronaut.application\") version \"4.4.2\" }";
    let (manifest, _) = written(&[
        ("build.gradle.kts", gradle),
        ("settings.gradle.kts", "rootProject.name=\"demo\""),
    ]);
    assert_eq!(line(&manifest.run.command), "{build_dir}/bin/demo");
    assert_eq!(manifest.run.env["MICRONAUT_SERVER_PORT"], "{port}");
}

#[test]
fn ktor_is_told_by_arguments_if_its_engine_has_main() {
    let settings = (
        "src/main/resources/application.conf",
        "ktor { deployment { port = 8080\n port = ${?PORT} } }",
    );
    let told = "{build_dir}/bin/mine -host={address} -port={port}";
    let named = "plugins { application }\napplication { mainClass = \"io.ktor.server.netty.EngineMain\" }";
    let (manifest, _) = written(&[("build.gradle.kts", named), settings]);
    assert_eq!(line(&manifest.run.command), told);
    let called = (
        "src/main/kotlin/Application.kt",
        "fun main(args: Array<String>) {\n    io.ktor.server.cio.EngineMain.main(args)\n}",
    );
    let build = ("build.gradle.kts", "plugins { application }");
    let (manifest, _) = written(&[build, called]);
    assert_eq!(line(&manifest.run.command), told);
    // One that makes the server itself does not read arguments.
    let own = (
        called.0,
        "fun main() { embeddedServer(Netty, port = 8081, host = \"0.0.0.0\") {}.start(wait = true) }",
    );
    let (manifest, _) = written(&[build, own]);
    assert_eq!(
        (line(&manifest.run.command).as_str(), manifest.run.port),
        ("{build_dir}/bin/mine", Some(8081))
    );

    let assembled = pom(
        "<properties><main.class>io.ktor.server.netty.EngineMain</main.class></properties><artifactId>maven-assembly-plugin\
         </artifactId><descriptorRef>jar-with-dependencies</descriptorRef>",
    );
    let (manifest, _) = written(&[("pom.xml", &assembled), called]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp {server_dir}/target/web-1.0-jar-with-dependencies.jar {build_dir}/server.jar"
    );
    let command = "java -jar {build_dir}/server.jar -host={address} -port={port}";
    assert_eq!(line(&manifest.run.command), command);
    assert_eq!(manifest.language, "Kotlin");
}

#[test]
fn the_shade_plugin_names_its_jar() {
    let verticle = (
        "src/main/java/a/MainVerticle.java",
        "class MainVerticle extends AbstractVerticle { void start() { vertx.createHttpServer().listen(8888); } }",
    );
    for (configured, jar) in [
        (
            "<outputFile>${project.build.directory}/${project.artifactId}-${project.version}-fat.jar</outputFile>",
            "web-1.0-fat",
        ),
        (
            "<shadedArtifactAttached>true</shadedArtifactAttached>",
            "web-1.0-shaded",
        ),
        (
            "<shadedArtifactAttached>true</shadedArtifactAttached><shadedClassifierName>all</shadedClassifierName>",
            "web-1.0-all",
        ),
        ("<outputFile>${unknown}.jar</outputFile>", "web-1.0"),
        ("", "web-1.0"),
    ] {
        let shaded = pom(&format!("<artifactId>maven-shade-plugin</artifactId>{configured}"));
        let (manifest, _) = written(&[("pom.xml", &shaded), verticle]);
        let copy = format!("cp {{server_dir}}/target/{jar}.jar {{build_dir}}/server.jar");
        assert_eq!(line(&manifest.build.steps[1]), copy, "{configured}");
        assert_eq!(line(&manifest.run.command), "java -jar {build_dir}/server.jar");
        assert_eq!(manifest.run.port, Some(8888));
    }
}

#[test]
fn the_launcher_of_vertx_is_told_what_to_run() {
    for (launcher, started) in [
        ("io.vertx.core.Launcher", "run a.MainVerticle"),
        ("io.vertx.launcher.application.VertxApplication", "a.MainVerticle"),
    ] {
        let build = format!(
            "plugins {{ application }}\nval mainVerticleName = \"a.MainVerticle\"\nval launcherClassName = \"{launcher}\""
        );
        let (manifest, _) = written(&[("build.gradle.kts", &build)]);
        assert_eq!(line(&manifest.run.command), format!("{{build_dir}}/bin/mine {started}"));
    }
}

#[test]
fn helidon_takes_its_settings_from_the_environment() {
    let parent = |name: &str| {
        pom(&format!(
            "<parent><groupId>io.helidon.applications</groupId><artifactId>{name}</artifactId></parent>"
        ))
    };
    let main = (
        MAIN.0,
        "package a;\nclass Main { static void main(String[] args) { WebServer.builder().config(config.get(\"server\")); } }",
    );
    let (manifest, _) = written(&[("pom.xml", &parent("helidon-se")), main]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "cp {server_dir}/target/web.jar {build_dir}/server.jar"
    );
    assert_eq!(
        line(&manifest.run.command),
        "java -cp {build_dir}/server.jar:{build_dir}/lib/* a.Main"
    );
    assert_eq!(manifest.run.env["SERVER_PORT"], "{port}");
    // One without settings listens where it says.
    let own = (
        MAIN.0,
        "package a;\nclass Main { static void main(String[] args) { WebServer.builder().port(8090).build().start(); } }",
    );
    let (manifest, _) = written(&[("pom.xml", &parent("helidon-se")), own]);
    assert_eq!(manifest.run.port, Some(8090));

    let needed = "<dependencies><artifactId>helidon-microprofile</artifactId></dependencies></project>";
    let profile = parent("helidon-mp").replace("</project>", needed);
    let (manifest, _) = written(&[("pom.xml", &profile)]);
    assert!(line(&manifest.run.command).ends_with(" io.helidon.microprofile.cdi.Main"));
    assert_eq!(manifest.run.env["SERVER_HOST"], "{address}");
}

#[test]
fn dropwizard_is_started_with_its_settings() {
    let shaded = pom(
        "<dependencies><artifactId>dropwizard-core</artifactId></dependencies><artifactId>maven-shade-plugin</artifactId>",
    );
    let compose = ("docker-compose.yml", "services:\n");
    let of = |text: &str| written(&[("pom.xml", &shaded), compose, ("hello.yml", text), MAIN]).0;
    let settings = "template: x\nserver:\n  adminConnectors:\n    - port: 9001\n  applicationConnectors:\n    - type: http\n      \
                    port: 9000\n";
    let manifest = of(settings);
    assert_eq!(
        line(&manifest.run.command),
        "java -jar {build_dir}/server.jar server {server_dir}/hello.yml"
    );
    assert_eq!(manifest.run.port, Some(9000));
    let simple = "server:\n  type: simple\n  connector:\n    type: http\n    port: 8085\n";
    assert_eq!(of(simple).run.port, Some(8085));
    // Its own default.
    assert_eq!(of("logging:\n  level: INFO\n").run.port, Some(8080));
    let variable = of(&settings.replace("9000", "${PORT:-9000}"));
    assert_eq!((variable.run.port, variable.run.env["PORT"].as_str()), (None, "{port}"));
    let (manifest, _) = written(&[("pom.xml", &shaded), compose, MAIN]);
    assert_eq!(line(&manifest.run.command), "java -jar {build_dir}/server.jar server");
    // Its metrics are used by others.
    let metrics = shaded.replace("dropwizard-core", "io.dropwizard.metrics");
    let (manifest, _) = written(&[("pom.xml", &metrics), MAIN]);
    assert_eq!(line(&manifest.run.command), "java -jar {build_dir}/server.jar");
}
