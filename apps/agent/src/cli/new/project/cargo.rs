//! A Cargo package, or a workspace with one program in it.

use toml::{Table, Value};

use super::super::listening::Listening;
use super::folder::Folder;
use super::program::{Project, is_plain, words};

pub fn look(folder: &Folder<'_>) -> Option<Project> {
    let text = folder.read("Cargo.toml")?;
    let root: Table = text.parse().ok()?;
    let mut checks = Vec::new();
    // A package at the top; otherwise a member of the workspace that is a program.
    let (place, package) = match root.get("package").and_then(Value::as_table) {
        Some(_) => (".".to_owned(), root.clone()),
        None => {
            let mut programs = members(folder, &root);
            let first = (!programs.is_empty()).then(|| programs.remove(0))?;
            if !programs.is_empty() {
                let others: Vec<&str> = programs.iter().map(|(place, _)| place.as_str()).collect();
                let place = &first.0;
                checks.push(format!(
                    "The workspace has several programs; {place} was taken. Change build.steps and run.command for {}.",
                    others.join(" or ")
                ));
            }
            first
        }
    };
    let name = package.get("package")?.get("name")?.as_str()?.to_owned();
    let (program, several) = program(folder, &place, &package, &name);
    if !is_plain(&program) {
        return None;
    }
    if several {
        checks.push(format!(
            "The package has several programs; {program} was taken. Change --bin and run.command for another."
        ));
    }
    // What a member inherits stands in a file that the copy of its folder alone does not have.
    let inherits =
        root.get("workspace").is_none() && text.split_whitespace().collect::<String>().contains("workspace=true");
    if inherits {
        checks.push(
            "Cargo.toml inherits from a workspace above this folder, and Rigmark builds a copy of this folder alone: run \
             `rigmark new server` in the workspace's own folder."
                .to_owned(),
        );
    }
    let locked = folder.has("Cargo.lock");
    let needs = ["dependencies", "build-dependencies", "workspace", "target"];
    if !locked
        && needs
            .iter()
            .any(|key| package.contains_key(*key) || root.contains_key(*key))
    {
        checks.push(
            "There is no Cargo.lock, so each build takes the newest versions of what it needs: run `cargo generate-lockfile` \
             and add --locked to the build step."
                .to_owned(),
        );
    }
    let mut build = words(&["cargo", "install", "--path", &place, "--bin", &program]);
    build.extend(locked.then(|| "--locked".to_owned()));
    build.extend(words(&["--root", "{build_dir}", "--target-dir", "{build_dir}/target"]));
    let license = package
        .get("package")
        .and_then(|p| p.get("license"))
        .and_then(Value::as_str);
    Some(Project {
        found: format!("A Cargo package, {name}; its program is {program}."),
        language: "Rust".to_owned(),
        license: license.map(str::to_owned),
        commands: vec!["cargo", "rustc", "cc"],
        debian: vec!["build-essential", "rustup"],
        homebrew: vec!["rust"],
        // The compiler's own files are large, and the program is all that is needed.
        steps: vec![build, words(&["rm", "-rf", "{build_dir}/target"])],
        command: vec![format!("{{build_dir}}/bin/{program}")],
        listening: uses_rocket(&package).then(rocket),
        checks,
        ..Project::default()
    })
}

fn uses_rocket(package: &Table) -> bool {
    let needs = package.get("dependencies").and_then(Value::as_table);
    needs.is_some_and(|needs| needs.contains_key("rocket"))
}

/// Its own settings, which no source names (rocket::Config).
fn rocket() -> Listening {
    let of = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Listening {
        arguments: Vec::new(),
        env: vec![of("ROCKET_PORT", "{port}"), of("ROCKET_ADDRESS", "{address}")],
        found: "Rocket reads ROCKET_PORT and ROCKET_ADDRESS; server.toml sets them to where it is to listen."
            .to_owned(),
        advice: String::new(),
        certain: true,
    }
}

/// Folder and Cargo.toml of the workspace's members that are programs.
fn members(folder: &Folder<'_>, root: &Table) -> Vec<(String, Table)> {
    let members = root
        .get("workspace")
        .and_then(|w| w.get("members"))
        .and_then(Value::as_array);
    let named = members.into_iter().flatten().filter_map(Value::as_str);
    let places = named.flat_map(|member| match member.strip_suffix("/*") {
        Some(above) => folder
            .folders(above)
            .into_iter()
            .map(|name| format!("{above}/{name}"))
            .collect(),
        None => vec![member.to_owned()],
    });
    let program = |place: String| {
        let package: Table = folder.read(&format!("{place}/Cargo.toml"))?.parse().ok()?;
        let has_program = folder.has(&format!("{place}/src/main.rs")) || package.get("bin").is_some();
        (has_program && is_plain(&place)).then_some((place, package))
    };
    places.filter_map(program).collect()
}

/// The program that `cargo run` would start, and whether there are others.
fn program(folder: &Folder<'_>, place: &str, package: &Table, name: &str) -> (String, bool) {
    let bins = package.get("bin").and_then(Value::as_array).into_iter().flatten();
    let bins: Vec<&str> = bins.filter_map(|bin| bin.get("name")?.as_str()).collect();
    let default = package
        .get("package")
        .and_then(|p| p.get("default-run"))
        .and_then(Value::as_str);
    if let Some(default) = default {
        return (default.to_owned(), false);
    }
    let main = folder.has(&format!("{place}/src/main.rs"));
    match bins.as_slice() {
        [] => (name.to_owned(), false),
        [first, more @ ..] => {
            let taken = bins.iter().find(|bin| **bin == name).unwrap_or(first);
            let other_main = main && !bins.contains(&name) && bins.len() > 1;
            ((*taken).to_owned(), !more.is_empty() || other_main)
        }
    }
}
