//! Frameworks of the JVM: what their builds make, and how their programs are told where to listen.

use super::super::listening::Listening;
use super::super::sources::Sources;
use super::folder::Folder;
use super::program::{is_plain, pairs, told, told_by, words};

/// How the program is told where to listen, where its framework settles that.
pub fn listening(build: &str, sources: &Sources) -> Option<Listening> {
    if build.contains("spring-boot") || build.contains("org.springframework.boot") {
        return told(
            &["--server.address={address}", "--server.port={port}"],
            "It is a Spring Boot service, which takes --server.port; server.toml passes it.",
        );
    }
    if is_quarkus(build) {
        return told_by(
            &[],
            &[("QUARKUS_HTTP_HOST", "{address}"), ("QUARKUS_HTTP_PORT", "{port}")],
            "It is a Quarkus service, which listens on QUARKUS_HTTP_PORT; server.toml sets it.",
        );
    }
    if build.contains("io.micronaut") {
        return told_by(
            &[],
            &[
                ("MICRONAUT_SERVER_HOST", "{address}"),
                ("MICRONAUT_SERVER_PORT", "{port}"),
            ],
            "It is a Micronaut service, which listens on MICRONAUT_SERVER_PORT; server.toml sets it.",
        );
    }
    let has = |text: &str| sources.0.iter().any(|source| source.squeezed.contains(text));
    // Its settings come from a file that may be told PORT, and from arguments, which count more.
    let is_engine = |rest: &str| rest.split_once(".EngineMain").is_some_and(|(name, _)| is_word(name));
    if build.split("io.ktor.server.").skip(1).any(is_engine) || has("EngineMain.main(args)") {
        return told(
            &["-host={address}", "-port={port}"],
            "EngineMain of Ktor takes -port; server.toml passes it.",
        );
    }
    // Helidon SE listens by its settings only if the program gives them to the server.
    if build.contains("io.helidon") && (build.contains("microprofile") || has(".get(\"server\")")) {
        return told_by(
            &[],
            &[("SERVER_HOST", "{address}"), ("SERVER_PORT", "{port}")],
            "It is a Helidon service, whose setting server.port is SERVER_PORT in the environment; server.toml sets it.",
        );
    }
    None
}

fn is_word(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_alphanumeric())
}

pub fn is_quarkus(build: &str) -> bool {
    build.contains("quarkus-maven-plugin") || build.contains("io.quarkus")
}

/// As its plugins write it: a folder with `quarkus-run.jar`, unless the settings ask for one jar.
pub fn is_quarkus_in_one_jar(folder: &Folder<'_>, place: &str, build: &str) -> bool {
    let settings = ["application.properties", "application.yml", "application.yaml"]
        .map(|file| folder.read(&format!("{place}src/main/resources/{file}")));
    let texts = settings.iter().flatten().map(String::as_str);
    is_quarkus(build) && texts.chain([build]).any(|text| text.contains("uber-jar"))
}

/// What follows the program's name, and where it listens by the file that is named there.
pub struct Started {
    pub arguments: Vec<String>,
    pub listening: Option<Listening>,
}

/// What a program does not start without: the command of Dropwizard, or the verticle for Vert.x's launcher.
pub fn started(folder: &Folder<'_>, build: &str, has_manifest: bool) -> Option<Started> {
    // Others have its metrics alone.
    if build.contains("dropwizard-core") {
        return Some(dropwizard(folder));
    }
    // In a jar its manifest says it.
    if has_manifest {
        return None;
    }
    let (_, rest) = build.split_once("mainVerticleName")?;
    let verticle = rest.trim_start().strip_prefix('=')?.trim_start();
    let verticle = verticle.strip_prefix(['"', '\''])?.split(['"', '\'']).next()?;
    let arguments = match (
        build.contains("io.vertx.core.Launcher"),
        build.contains("VertxApplication"),
    ) {
        (true, _) => words(&["run", verticle]),
        (_, true) => words(&[verticle]),
        _ => return None,
    };
    is_plain(verticle).then_some(Started {
        arguments,
        listening: None,
    })
}

/// Its port is in the file of settings. What overrides it is not the same for each kind of connector.
fn dropwizard(folder: &Folder<'_>) -> Started {
    let file = settings_of_dropwizard(folder);
    let text = file.as_ref().and_then(|file| folder.read(file)).unwrap_or_default();
    let mut arguments = words(&["server"]);
    arguments.extend(file.iter().map(|file| format!("{{server_dir}}/{file}")));
    // The sources say then how it is told.
    if text.contains("${") && port_of(&text).is_none() {
        return Started {
            arguments,
            listening: None,
        };
    }
    let port = port_of(&text).unwrap_or(8080);
    let by = file.unwrap_or_else(|| "Dropwizard without settings".to_owned());
    let listening = Listening {
        arguments: Vec::new(),
        env: pairs(&[("PORT", "{port}")]),
        port: Some(port),
        found: format!("{by} always listens on port {port}; server.toml says so."),
        advice: String::new(),
        certain: true,
    };
    Started {
        arguments,
        listening: Some(listening),
    }
}

fn settings_of_dropwizard(folder: &Folder<'_>) -> Option<String> {
    let is_settings = |file: &String| {
        let (stem, ending) = file.rsplit_once('.').unwrap_or((file, ""));
        // Such as docker-compose.yml and .travis.yml.
        let of_others = stem.is_empty() || stem.starts_with('.') || stem.contains("compose");
        ["yml", "yaml"].contains(&ending) && !of_others && is_plain(file)
    };
    let mut places = ["", "config/", "src/main/resources/"].into_iter().flat_map(|place| {
        let mut files: Vec<String> = folder.files_in(place).into_iter().filter(is_settings).collect();
        files.sort_by_key(|file| !file.starts_with("config"));
        files.into_iter().map(move |file| format!("{place}{file}"))
    });
    places.find(|file| {
        let text = folder.read(file).unwrap_or_default();
        let says = |key: &str| text.lines().any(|line| line.starts_with(key));
        says("server:") || says("logging:") || file.ends_with("config.yml")
    })
}

/// The first number behind the connector of the application, which is not that of the administrator.
fn port_of(text: &str) -> Option<u16> {
    let begin = ["applicationConnectors:", "connector:"]
        .iter()
        .find_map(|key| Some(text.find(key)? + key.len()))?;
    let rest = text[begin..].split("adminConnectors:").next()?;
    let (_, value) = rest.split_once("port:")?;
    value.split_whitespace().next()?.parse().ok()
}

/// The file in `target/` that `java -jar` runs with all that it needs, without its ending, where the build makes one.
pub fn whole_jar(pom: &str, jar: &str, in_one_jar: bool) -> Option<String> {
    let value = |name: &str| tag(pom, name);
    let of_assembly = pom.contains("maven-assembly-plugin") && pom.contains("jar-with-dependencies");
    if in_one_jar {
        return Some(format!("{jar}-runner"));
    }
    if pom.contains("maven-shade-plugin") {
        let written = value("outputFile");
        let written = written.and_then(|path| Some(path.rsplit('/').next()?.strip_suffix(".jar")?.to_owned()));
        let attached = value("shadedArtifactAttached").is_some_and(|value| value == "true");
        let beside = || {
            let name = value("shadedClassifierName").unwrap_or_else(|| "shaded".to_owned());
            attached.then(|| format!("{jar}-{name}"))
        };
        return Some(written.or_else(beside).unwrap_or_else(|| jar.to_owned()));
    }
    if of_assembly && value("appendAssemblyId").is_none_or(|value| value != "false") {
        return Some(format!("{jar}-jar-with-dependencies"));
    }
    // Its parent has the shade plugin.
    let whole = ["spring-boot", "maven-assembly-plugin", "micronaut-parent"];
    whole.iter().any(|word| pom.contains(word)).then(|| jar.to_owned())
}

/// The text between the first `<name>` and its end.
pub fn tag(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (inside, _) = rest.split_once(&format!("</{name}>"))?;
    Some(inside.trim().to_owned())
}
