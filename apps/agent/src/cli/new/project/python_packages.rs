//! What installs the packages that a Python program needs, by what the folder has to say it.

use toml::{Table, Value};

use super::folder::Folder;
use super::program::{commands, is_plain, words};
use super::python_project::PythonProject;

pub struct Packages {
    pub python: String,
    pub steps: Vec<Vec<String>>,
    pub commands: Vec<&'static str>,
    pub debian: Vec<&'static str>,
    pub homebrew: Vec<&'static str>,
    pub check: Option<String>,
    /// The project itself is among them, with its commands.
    pub has_project: bool,
}

const PYTHON: &str = "{build_dir}/venv/bin/python";
const VENV: &str = "python3 -m venv {build_dir}/venv";
const PIP: [&str; 4] = [
    "{build_dir}/venv/bin/pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
];

/// The text of the folder's lists in small letters, if it has one.
pub fn named(folder: &Folder<'_>) -> Option<String> {
    let texts = [folder.read("requirements.txt"), pyproject(folder)];
    let texts: Vec<String> = texts.into_iter().flatten().collect();
    (!texts.is_empty()).then(|| texts.join("\n").to_lowercase())
}

/// Where it is of a project, and not only the settings of tools.
fn pyproject(folder: &Folder<'_>) -> Option<String> {
    let of_project = ["[project]", "[tool.poetry", "[build-system]"];
    let text = folder.read("pyproject.toml")?;
    of_project.iter().any(|table| text.contains(table)).then_some(text)
}

/// With those that nothing names. The project is the one that runs, at the top or a member of its workspace.
pub fn of(folder: &Folder<'_>, missing: &[&str], project: Option<&PythonProject>, in_workspace: bool) -> Packages {
    let made = |steps: Vec<Vec<String>>| Packages {
        python: PYTHON.to_owned(),
        steps,
        commands: vec!["python3"],
        debian: vec!["python3-venv"],
        homebrew: vec!["python"],
        check: None,
        has_project: false,
    };
    let locked = folder.has("uv.lock");
    if locked || in_workspace {
        let mut sync = words(&["env", "UV_PROJECT_ENVIRONMENT={build_dir}/venv", "uv", "sync"]);
        sync.extend(locked.then(|| "--frozen".to_owned()));
        sync.extend(words(&["--no-dev", "--no-editable"]));
        let member = project.filter(|project| !project.place.is_empty());
        if let Some(name) = member.and_then(PythonProject::name) {
            sync.extend(words(&["--package", name]));
        }
        let mut steps = vec![sync];
        if !missing.is_empty() {
            let install = commands(&["uv pip install --python {build_dir}/venv/bin/python"]).concat();
            steps.push([install, words(missing)].concat());
        }
        return Packages {
            commands: vec!["uv"],
            debian: Vec::new(),
            homebrew: vec!["uv"],
            check: (!locked)
                .then(|| "There is no uv.lock, so each build takes the newest versions: run `uv lock`.".to_owned()),
            has_project: project.is_some_and(PythonProject::is_package),
            ..made(steps)
        };
    }
    if folder.has("poetry.lock") {
        // It installs into the environment that it is told is active.
        let install = "env VIRTUAL_ENV={build_dir}/venv poetry install --only main --no-root --no-interaction";
        let mut steps = commands(&[VENV, install]);
        if !missing.is_empty() {
            steps.push(words(&[PIP.as_slice(), missing].concat()));
        }
        return Packages {
            commands: vec!["python3", "poetry"],
            debian: vec!["python3-venv", "python3-poetry"],
            homebrew: vec!["python", "poetry"],
            ..made(steps)
        };
    }
    let listed = match (folder.has("requirements.txt"), pyproject(folder)) {
        (true, _) => words(&["-r", "{server_dir}/requirements.txt"]),
        (false, Some(text)) => dependencies(&text).unwrap_or_else(|| words(&["{server_dir}"])),
        (false, None) => Vec::new(),
    };
    let has_project = listed == ["{server_dir}"];
    let check = match listed.is_empty() {
        false => "Pin the versions of what is installed, so that each build is the same.".to_owned(),
        true => format!(
            "No requirements.txt names its packages, so each build takes the newest {}: write one with `pip freeze`, and \
             run this again with --force.",
            missing.join(" and ")
        ),
    };
    let all = [listed, words(missing)].concat();
    if all.is_empty() {
        return Packages {
            python: "python3".to_owned(),
            ..made(Vec::new())
        };
    }
    Packages {
        check: Some(check),
        has_project,
        ..made([commands(&[VENV]), vec![[words(&PIP), all].concat()]].concat())
    }
}

/// Of a project that is no package itself, as `uv init` makes it: there is nothing else to install.
fn dependencies(pyproject: &str) -> Option<Vec<String>> {
    let all: Table = pyproject.parse().ok()?;
    let listed = all.get("project")?.get("dependencies")?.as_array()?;
    let listed: Vec<String> = listed.iter().filter_map(Value::as_str).map(str::to_owned).collect();
    let plain = listed.iter().all(|one| is_plain(one));
    (!all.contains_key("build-system") && plain).then_some(listed)
}
