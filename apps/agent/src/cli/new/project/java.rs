//! Maven and Gradle.

use super::folder::Folder;
use super::program::{Project, is_plain, told, words};

const SPRING: &[&str] = &["--server.address={address}", "--server.port={port}"];
const OF_SPRING: &str = "It is a Spring Boot service, which takes --server.port; server.toml passes it.";

/// A service of Spring takes ten seconds and more on a small machine.
const READY_WITHIN_S: u32 = 30;

/// As the bundled servers ask for it: `openjdk` alone is another version every half year.
const JDK: &str = "openjdk@21";

/// Homebrew keeps a JDK out of the way of macOS's own `java`, which then says that there is none.
fn on_a_mac(builder: &str) -> String {
    let formulas = [JDK, builder].join(" ");
    format!(
        "brew install {} && sudo ln -sfn \"$(brew --prefix)/opt/{JDK}/libexec/openjdk.jdk\" \
         /Library/Java/JavaVirtualMachines/openjdk-21.jdk",
        formulas.trim_end()
    )
}

pub fn maven(folder: &Folder<'_>) -> Option<Project> {
    let pom = folder.read("pom.xml")?;
    // Of the project itself, not of its parent or of what it needs.
    let own = without(
        &pom,
        &[
            "parent",
            "dependencies",
            "dependencyManagement",
            "build",
            "profiles",
            "reporting",
        ],
    );
    let artifact = tag(&own, "artifactId")?;
    let version = tag(&own, "version")
        .or_else(|| tag(&pom, "version"))
        .unwrap_or_default();
    let given = tag(&without(&pom, &["profiles", "plugins"]), "finalName");
    let jar = given.unwrap_or_else(|| format!("{artifact}-{version}"));
    let spring = pom.contains("spring-boot");
    let mut checks = Vec::new();
    let known = is_plain(&jar) && !jar.contains('$');
    let jar = if known { jar } else { artifact.clone() };
    checks.push(format!(
        "The build is taken to make target/{jar}.jar, which `java -jar` runs with all that it needs{}.",
        if spring {
            ""
        } else {
            " (such a jar is made by the shade or the assembly plugin)"
        }
    ));
    Some(Project {
        found: format!("A Maven project, {artifact}."),
        language: "Java".to_owned(),
        jit: true,
        ready_within_s: Some(READY_WITHIN_S),
        commands: vec!["java", "javac", "mvn"],
        debian: vec!["default-jdk-headless", "maven"],
        homebrew: vec![JDK, "maven"],
        macos: Some(on_a_mac("maven")),
        steps: vec![
            words(&["mvn", "--batch-mode", "--quiet", "-DskipTests", "package"]),
            vec![
                "cp".to_owned(),
                format!("{{server_dir}}/target/{jar}.jar"),
                "{build_dir}/server.jar".to_owned(),
            ],
        ],
        command: words(&["java", "-jar", "{build_dir}/server.jar"]),
        listening: if spring { told(SPRING, OF_SPRING) } else { None },
        checks,
        ..Project::default()
    })
}

pub fn gradle(folder: &Folder<'_>) -> Option<Project> {
    let file = ["build.gradle", "build.gradle.kts"]
        .into_iter()
        .find(|file| folder.has(file))?;
    let build = folder.read(file)?;
    let settings = ["settings.gradle", "settings.gradle.kts"];
    let settings = settings
        .into_iter()
        .find_map(|file| folder.read(file))
        .unwrap_or_default();
    let set = settings
        .lines()
        .find_map(|line| line.trim().strip_prefix("rootProject.name"));
    let set = set.map(|rest| rest.trim_matches(|c: char| c == '=' || c.is_whitespace() || c == '"' || c == '\''));
    // Otherwise it is the name of the folder that is built, which has the server's.
    let name = set.filter(|name| is_plain(name)).unwrap_or(folder.name).to_owned();
    let own = folder.has("gradlew");
    let gradle = if own { "{server_dir}/gradlew" } else { "gradle" };
    let spring = build.contains("org.springframework.boot");
    let run = |task: &str| words(&[gradle, "--no-daemon", "--quiet", task]);
    let mut checks = Vec::new();
    let (steps, command) = if spring {
        checks.push("The build is taken to make one jar in build/libs; see the step that copies it.".to_owned());
        let copy = "cp build/libs/*.jar \"$1\"";
        (
            vec![
                run("bootJar"),
                words(&["sh", "-c", copy, "sh", "{build_dir}/server.jar"]),
            ],
            words(&["java", "-jar", "{build_dir}/server.jar"]),
        )
    } else {
        checks.push(format!(
            "The build is taken to have the application plugin, whose task installDist makes build/install/{name}."
        ));
        (
            vec![
                run("installDist"),
                vec![
                    "cp".to_owned(),
                    "-R".to_owned(),
                    format!("{{server_dir}}/build/install/{name}/."),
                    "{build_dir}".to_owned(),
                ],
            ],
            vec![format!("{{build_dir}}/bin/{name}")],
        )
    };
    let mut commands = vec!["java", "javac"];
    commands.extend((!own).then_some("gradle"));
    Some(Project {
        found: format!("A Gradle project, {name}."),
        language: if file.ends_with(".kts") { "Kotlin" } else { "Java" }.to_owned(),
        jit: true,
        ready_within_s: Some(READY_WITHIN_S),
        commands,
        debian: if own {
            vec!["default-jdk-headless"]
        } else {
            vec!["default-jdk-headless", "gradle"]
        },
        homebrew: if own { vec![JDK] } else { vec![JDK, "gradle"] },
        macos: Some(on_a_mac(if own { "" } else { "gradle" })),
        steps,
        command,
        listening: if spring { told(SPRING, OF_SPRING) } else { None },
        checks,
        ..Project::default()
    })
}

/// The text between the first `<name>` and its end.
fn tag(text: &str, name: &str) -> Option<String> {
    let (_, rest) = text.split_once(&format!("<{name}>"))?;
    let (inside, _) = rest.split_once(&format!("</{name}>"))?;
    Some(inside.trim().to_owned())
}

/// Without these elements.
fn without(text: &str, names: &[&str]) -> String {
    let mut text = text.to_owned();
    for name in names {
        let (begin, end) = (format!("<{name}>"), format!("</{name}>"));
        while let Some(from) = text.find(&begin) {
            let Some(length) = text[from..].find(&end) else { break };
            text.replace_range(from..from + length + end.len(), "");
        }
    }
    text
}
