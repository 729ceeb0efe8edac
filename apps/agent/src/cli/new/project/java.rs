//! Maven and Gradle.

use super::super::sources::{Source, Sources};
use super::folder::Folder;
use super::jvm::{self, tag};
use super::program::{Project, is_plain, words};

const HELIDON_MAIN: &str = "io.helidon.microprofile.cdi.Main";

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

pub fn maven(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
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
    // As its parents have it.
    let of_helidon = pom.contains("io.helidon.applications").then(|| artifact.clone());
    let jar = given.or(of_helidon).unwrap_or_else(|| format!("{artifact}-{version}"));
    let filled = |text: String| {
        let text = text.replace("${project.build.finalName}", &jar);
        let text = text
            .replace("${project.artifactId}", &artifact)
            .replace("${artifactId}", &artifact);
        text.replace("${project.version}", &version)
            .replace("${version}", &version)
    };
    let own = folder.has("mvnw");
    let maven = if own { "{server_dir}/mvnw" } else { "mvn" };
    let mut checks = Vec::new();
    let is_known = |name: &String| is_plain(name) && !name.contains('$');
    let jar = Some(filled(jar.clone()))
        .filter(is_known)
        .unwrap_or_else(|| artifact.clone());
    let mut package = words(&[maven, "--batch-mode", "--quiet", "-DskipTests", "package"]);
    let in_one_jar = jvm::is_quarkus_in_one_jar(folder, "", &pom);
    let in_folder = jvm::is_quarkus(&pom) && !in_one_jar;
    let whole = jvm::whole_jar(&pom, &jar, in_one_jar).map(filled).filter(is_known);
    let begins = begins(sources);
    let named = tag(&pom, "mainClass").filter(|class| is_plain(class) && !class.contains('$'));
    let first = || begins.first().map(|(class, _)| class.clone());
    // Helidon has it for MicroProfile.
    let of_library = (pom.contains("io.helidon") && pom.contains("microprofile")).then(|| HELIDON_MAIN.to_owned());
    let class = named.or_else(first).or(of_library).filter(|_| whole.is_none());
    let jar = whole.unwrap_or(jar);
    let mut made = [format!("{jar}.jar"), "server.jar".to_owned()];
    let mut command = match &class {
        // Beside it is what it needs.
        _ if in_folder => {
            made = ["quarkus-app/.".to_owned(), String::new()];
            words(&["java", "-jar", "{build_dir}/quarkus-run.jar"])
        }
        Some(class) => {
            checks.push(begins_in(class, &begins));
            package.extend(words(&[
                "dependency:copy-dependencies",
                "-DincludeScope=runtime",
                "-DoutputDirectory={build_dir}/lib",
            ]));
            words(&["java", "-cp", "{build_dir}/server.jar:{build_dir}/lib/*", class])
        }
        None => {
            checks.push(format!(
                "The build is taken to make target/{jar}.jar, which `java -jar` runs with all that it needs (such a jar is \
                 made by the shade or the assembly plugin)."
            ));
            words(&["java", "-jar", "{build_dir}/server.jar"])
        }
    };
    let mut listening = jvm::listening(&pom, sources);
    if let Some(started) = jvm::started(folder, &pom, true) {
        command.extend(started.arguments);
        listening = started.listening;
    }
    let of_kotlin = begins.first().is_some_and(|(_, path)| path.ends_with(".kt"));
    let kotlin = of_kotlin || folder.path.join("src/main/kotlin").is_dir();
    let [from, to] = made;
    Some(Project {
        found: format!("A Maven project, {artifact}."),
        language: if kotlin { "Kotlin" } else { "Java" }.to_owned(),
        jit: true,
        ready_within_s: Some(READY_WITHIN_S),
        commands: with_builder(&["java", "javac"], "mvn", own),
        debian: with_builder(&["default-jdk-headless"], "maven", own),
        homebrew: with_builder(&[JDK], "maven", own),
        macos: Some(on_a_mac(if own { "" } else { "maven" })),
        steps: vec![package, copied(&format!("{{server_dir}}/target/{from}"), &to)],
        command,
        listening,
        checks,
        ..Project::default()
    })
}

/// To this place in what is built; of a folder what is in it.
fn copied(from: &str, to: &str) -> Vec<String> {
    let recursive = from.ends_with("/.").then_some("-R");
    let to = format!("{{build_dir}}/{to}");
    let to = to.trim_end_matches('/');
    let line: Vec<&str> = ["cp"].into_iter().chain(recursive).chain([from, to]).collect();
    words(&line)
}

/// Java's sources at the top, without a build.
pub fn files(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let files: Vec<String> = folder
        .files()
        .into_iter()
        .filter(|name| name.ends_with(".java") && is_plain(name))
        .map(|name| format!("{{server_dir}}/{name}"))
        .collect();
    let mut begins = begins(sources);
    begins.retain(|(_, path)| !path.contains('/') && path.ends_with(".java"));
    let (class, path) = begins.first().cloned()?;
    let several = begins.len() > 1;
    let compile = words(&["javac", "-d", "{build_dir}"]);
    Some(Project {
        found: format!("A Java program, {path}."),
        language: "Java".to_owned(),
        jit: true,
        ready_within_s: Some(READY_WITHIN_S),
        commands: vec!["java", "javac"],
        debian: vec!["default-jdk-headless"],
        homebrew: vec![JDK],
        macos: Some(on_a_mac("")),
        steps: vec![[compile, files].concat()],
        command: words(&["java", "-cp", "{build_dir}", &class]),
        checks: several.then(|| begins_in(&class, &begins)).into_iter().collect(),
        ..Project::default()
    })
}

fn begins_in(class: &str, all: &[(String, String)]) -> String {
    let others = all.iter().map(|(other, _)| other.as_str());
    let others: Vec<&str> = others.filter(|other| *other != class).collect();
    let starts = format!("run.command starts the class {class}");
    match others.is_empty() {
        true => format!("{starts}."),
        false => format!("{starts}. These have a `main` too: {}.", others.join(", ")),
    }
}

/// The classes that have `main`, and their files: one that is called as a server is comes first.
fn begins(sources: &Sources) -> Vec<(String, String)> {
    let class = |source: &Source| {
        let (place, kotlin) = match source.path.rsplit_once('.')? {
            (place, "java") => (place, false),
            (place, "kt") => (place, true),
            _ => return None,
        };
        let mains: &[&str] = match kotlin {
            true => &["funmain("],
            false => &["staticvoidmain(", "staticpublicvoidmain("],
        };
        if !mains.iter().any(|main| source.squeezed.contains(main)) {
            return None;
        }
        let file = place.rsplit('/').next()?;
        let package = source
            .text
            .lines()
            .find_map(|line| line.trim().strip_prefix("package "));
        let package = package
            .and_then(|rest| rest.split([';', ' ', '/']).next())
            .unwrap_or_default();
        let name = match kotlin {
            true => format!("{}{}Kt", file.get(..1)?.to_uppercase(), file.get(1..)?),
            false => class_of(&source.text, file)?,
        };
        let class = if package.is_empty() {
            name
        } else {
            format!("{package}.{name}")
        };
        is_plain(&class).then(|| (class, source.path.clone()))
    };
    let mut found: Vec<_> = sources.0.iter().filter_map(class).collect();
    found.sort_by_key(|(class, _)| {
        let name = class.rsplit('.').next().unwrap_or(class).to_lowercase();
        !(name.contains("server") || name.contains("app") || name == "main" || name == "mainkt")
    });
    found
}

/// That of the file's name, or the last one before `main`.
fn class_of(text: &str, file: &str) -> Option<String> {
    let before = &text[..text.find(" main").unwrap_or(text.len())];
    let is_of_name = |c: &char| c.is_alphanumeric() || *c == '_';
    let name = |rest: &str| rest.chars().take_while(is_of_name).collect::<String>();
    let classes: Vec<String> = before.split("class ").skip(1).map(name).collect();
    let same = classes.iter().find(|class| *class == file);
    same.or(classes.last()).filter(|class| !class.is_empty()).cloned()
}

pub fn gradle(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let settings = ["settings.gradle", "settings.gradle.kts"];
    let settings = settings
        .into_iter()
        .find_map(|file| folder.read(file))
        .unwrap_or_default();
    let (place, build) = gradle_program(folder, &settings)?;
    let set = settings
        .lines()
        .find_map(|line| line.trim().strip_prefix("rootProject.name"));
    let set = set.map(|rest| rest.trim_matches(|c: char| c == '=' || c.is_whitespace() || c == '"' || c == '\''));
    // Otherwise it is the name of the folder that is built, which has the server's.
    let root = set.filter(|name| is_plain(name)).unwrap_or(folder.name);
    let name = place
        .rsplit('/')
        .find(|part| !part.is_empty())
        .unwrap_or(root)
        .to_owned();
    let own = folder.has("gradlew");
    let gradle = if own { "{server_dir}/gradlew" } else { "gradle" };
    let spring = build.contains("org.springframework.boot");
    let run = |task: &str| {
        let task = match place.as_str() {
            "" => task.to_owned(),
            place => format!(":{}{task}", place.replace('/', ":")),
        };
        words(&[gradle, "--no-daemon", "--quiet", &task])
    };
    let mut checks = Vec::new();
    let in_one_jar = jvm::is_quarkus_in_one_jar(folder, &place, &build);
    let (steps, mut command) = if jvm::is_quarkus(&build) && !in_one_jar {
        let made = format!("{{server_dir}}/{place}build/quarkus-app/.");
        (
            vec![run("quarkusBuild"), copied(&made, "")],
            words(&["java", "-jar", "{build_dir}/quarkus-run.jar"]),
        )
    } else if spring || in_one_jar {
        let (task, ending) = if spring {
            ("bootJar", "libs/*")
        } else {
            ("quarkusBuild", "*-runner")
        };
        checks.push(format!(
            "The build is taken to make one jar, {place}build/{ending}.jar; see the step that copies it."
        ));
        let copy = format!("cp \"$1\"build/{ending}.jar \"$2\"");
        let from = format!("{{server_dir}}/{place}");
        (
            vec![
                run(task),
                words(&["sh", "-c", &copy, "sh", &from, "{build_dir}/server.jar"]),
            ],
            words(&["java", "-jar", "{build_dir}/server.jar"]),
        )
    } else {
        checks.push(format!(
            "The build is taken to have the application plugin, whose task installDist makes {place}build/install/{name}."
        ));
        (
            vec![
                run("installDist"),
                copied(&format!("{{server_dir}}/{place}build/install/{name}/."), ""),
            ],
            vec![format!("{{build_dir}}/bin/{name}")],
        )
    };
    let mut listening = jvm::listening(&build, sources);
    if let Some(started) = jvm::started(folder, &build, false) {
        command.extend(started.arguments);
        listening = started.listening;
    }
    let kotlin = folder.path.join(format!("{place}src/main/kotlin")).is_dir();
    Some(Project {
        found: format!("A Gradle project, {name}."),
        language: if kotlin { "Kotlin" } else { "Java" }.to_owned(),
        jit: true,
        ready_within_s: Some(READY_WITHIN_S),
        commands: with_builder(&["java", "javac"], "gradle", own),
        debian: with_builder(&["default-jdk-headless"], "gradle", own),
        homebrew: with_builder(&[JDK], "gradle", own),
        macos: Some(on_a_mac(if own { "" } else { "gradle" })),
        steps,
        command,
        listening,
        checks,
        ..Project::default()
    })
}

/// The folder whose build makes a program, such as `app/`, and the build's text. `gradle init` has none at the top.
fn gradle_program(folder: &Folder<'_>, settings: &str) -> Option<(String, String)> {
    let lines = settings
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("include"));
    let quoted = lines.flat_map(|line| line.split(['"', '\'']).skip(1).step_by(2));
    let included = quoted.map(|name| format!("{}/", name.trim_start_matches(':').replace(':', "/")));
    let build = |place: String| {
        let mut files = ["build.gradle", "build.gradle.kts"].into_iter();
        let text = files.find_map(|file| folder.read(&format!("{place}{file}")))?;
        is_plain(&format!("{place}.")).then_some((place, text))
    };
    let mut builds: Vec<(String, String)> = std::iter::once(String::new())
        .chain(included)
        .filter_map(build)
        .collect();
    let is_program = |text: &str| {
        text.contains("application")
            || jvm::is_quarkus(text)
            || (text.contains("org.springframework.boot") && !text.contains("apply false"))
    };
    let at = builds.iter().position(|(_, text)| is_program(text)).unwrap_or(0);
    (at < builds.len()).then(|| builds.swap_remove(at))
}

/// What builds it is no matter where the project has a wrapper of its own.
fn with_builder(others: &[&'static str], builder: &'static str, own: bool) -> Vec<&'static str> {
    others.iter().copied().chain((!own).then_some(builder)).collect()
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
