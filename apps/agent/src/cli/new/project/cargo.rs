//! A Cargo package, or a workspace with one program in it.

use toml::{Table, Value};

use super::super::listening::Listening;
use super::super::server_name::is_server;
use super::super::sources::Sources;
use super::cargo_workspace::{above, members, sources_of_others};
use super::folder::Folder;
use super::members::joined;
use super::program::{Project, is_plain, told_by, words};

/// A member of a workspace that uses one of these is its server.
const SERVES: [&str; 12] = [
    "actix-web",
    "axum",
    "hyper",
    "ntex",
    "poem",
    "rocket",
    "rouille",
    "salvo",
    "tide",
    "tiny_http",
    "trillium",
    "warp",
];

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let text = folder.read("Cargo.toml")?;
    let root: Table = text.parse().ok()?;
    let mut checks = Vec::new();
    // A package at the top; otherwise a member of the workspace that is a program.
    let at_top = root.get("package").is_some().then(|| (".".to_owned(), root.clone()));
    let is_program = |(place, package): &(String, Table)| !programs(folder, place, package).is_empty();
    let (place, package) = match at_top.clone().filter(is_program) {
        Some(at_top) => at_top,
        None => {
            let mut members = members(folder, &root);
            members.retain(is_program);
            members.sort_by_key(|(place, package)| (!uses(package, &SERVES), !is_server(place)));
            let others: Vec<&str> = members.iter().skip(1).map(|(place, _)| place.as_str()).collect();
            if !others.is_empty() {
                checks.push(format!(
                    "The workspace has several programs; {} was taken. Change build.steps and run.command for {}.",
                    members[0].0,
                    others.join(" or ")
                ));
            }
            members.into_iter().next().or(at_top)?
        }
    };
    let name = package.get("package")?.get("name")?.as_str()?.to_owned();
    let programs = programs(folder, &place, &package);
    let program = chosen(&programs, &package, &name);
    if !is_plain(&program) {
        return None;
    }
    match programs.as_slice() {
        [] => checks.push(format!(
            "The package has no program, neither src/main.rs nor a [[bin]], so {program} was written; name another folder \
             if the server is there."
        )),
        [_] => {}
        _ if default_run(&package).is_some() => {}
        _ => checks.push(format!(
            "The package has several programs; {program} was taken. Change --bin and run.command for another."
        )),
    }
    // What a member inherits stands in a file that the copy of its folder alone does not have.
    let squeezed: String = text.split_whitespace().collect();
    let inherits = root.get("workspace").is_none() && squeezed.contains("workspace=true");
    let above = above(folder, &root);
    let needs_above = match &above {
        _ if inherits || squeezed.contains("path=\"../") => {
            Some("Cargo.toml inherits from a workspace above this folder or names a path there".to_owned())
        }
        Some(file) => Some(format!(
            "{} has this package in its workspace, with the Cargo.lock and the profiles",
            file.display()
        )),
        None => None,
    };
    checks.extend(needs_above.map(|needs| {
        format!(
            "{needs}, and Rigmark builds a copy of this folder alone: run `rigmark new server` in the workspace's own folder."
        )
    }));
    let locked = folder.has("Cargo.lock");
    let needs = ["dependencies", "build-dependencies", "workspace", "target"];
    // A member has none of its own, and cannot make one.
    if !locked
        && above.is_none()
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
        listening: uses(&package, &["rocket"]).then(rocket).flatten(),
        of_others: [
            sources_of_others(folder, &root, &place, sources),
            sources_of_other_programs(folder, &place, &package, (&program, &programs), sources),
        ]
        .concat(),
        checks,
        ..Project::default()
    })
}

fn uses(package: &Table, libraries: &[&str]) -> bool {
    let needs = package.get("dependencies").and_then(Value::as_table);
    needs.is_some_and(|needs| libraries.iter().any(|library| needs.contains_key(*library)))
}

/// Its own settings, which no source names (rocket::Config).
fn rocket() -> Option<Listening> {
    told_by(
        &[],
        &[("ROCKET_PORT", "{port}"), ("ROCKET_ADDRESS", "{address}")],
        "Rocket reads ROCKET_PORT and ROCKET_ADDRESS; server.toml sets them to where it is to listen.",
    )
}

/// What Cargo.toml names, and what Cargo finds by itself.
fn programs(folder: &Folder<'_>, place: &str, package: &Table) -> Vec<String> {
    let bins = package.get("bin").and_then(Value::as_array).into_iter().flatten();
    let (mut names, mut paths) = (Vec::new(), Vec::new());
    for bin in bins {
        names.extend(bin.get("name").and_then(Value::as_str).map(str::to_owned));
        paths.extend(bin.get("path").and_then(Value::as_str));
    }
    let own = package
        .get("package")
        .and_then(|p| p.get("name"))
        .and_then(Value::as_str);
    let main = folder.has(&format!("{place}/src/main.rs")) && !paths.contains(&"src/main.rs");
    let beside = format!("{place}/src/bin");
    let files = folder.files_in(&beside).into_iter();
    let of_files = files
        .filter(|file| !paths.contains(&format!("src/bin/{file}").as_str()))
        .filter_map(|file| file.strip_suffix(".rs").map(str::to_owned));
    let folders = folder.folders(&beside).into_iter();
    let of_folders = folders.filter(|name| folder.has(&format!("{beside}/{name}/main.rs")));
    let found = own.filter(|_| main).map(str::to_owned).into_iter();
    for name in found.chain(of_files).chain(of_folders) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// The file that a program begins with, from the top of the folder.
fn begins_in(folder: &Folder<'_>, place: &str, package: &Table, program: &str) -> String {
    let bins = package.get("bin").and_then(Value::as_array).into_iter().flatten();
    let is_it = |bin: &&Value| bin.get("name").and_then(Value::as_str) == Some(program);
    let path = bins.into_iter().find(is_it).and_then(|bin| bin.get("path"));
    let usual = [
        format!("src/bin/{program}.rs"),
        format!("src/bin/{program}/main.rs"),
        "src/main.rs".to_owned(),
    ];
    let named = path.and_then(Value::as_str).map(str::to_owned);
    let file = named.or_else(|| usual.into_iter().find(|file| folder.has(&joined(place, file))));
    joined(place, &file.unwrap_or_default())
}

/// Of the same package: where each begins, with its folder below `src/bin`.
fn sources_of_other_programs(
    folder: &Folder<'_>,
    place: &str,
    package: &Table,
    (program, programs): (&str, &[String]),
    sources: &Sources,
) -> Vec<String> {
    let begin = |program: &str| begins_in(folder, place, package, program);
    let own = begin(program);
    let others: Vec<String> = programs
        .iter()
        .map(|other| begin(other))
        .filter(|file| *file != own)
        .collect();
    let is_of_another = |path: &&String| {
        others.iter().any(|file| {
            let below = file.strip_suffix("main.rs").filter(|below| below.contains("/bin/"));
            *path == file || below.is_some_and(|below| path.starts_with(below))
        })
    };
    let paths = sources.0.iter().map(|source| &source.path);
    paths.filter(is_of_another).cloned().collect()
}

fn default_run(package: &Table) -> Option<&str> {
    package.get("package")?.get("default-run")?.as_str()
}

/// The program that `cargo run` would start; without one the server by its name, or what is called as the package is.
fn chosen(programs: &[String], package: &Table, name: &str) -> String {
    let by_name = || programs.iter().find(|program| is_server(program));
    let same = || programs.iter().find(|program| *program == name);
    let found = || by_name().or_else(same).or(programs.first()).map(String::as_str);
    default_run(package).or_else(found).unwrap_or(name).to_owned()
}
