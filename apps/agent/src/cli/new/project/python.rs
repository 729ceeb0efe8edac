//! Python: a script, with or without packages, and the servers that applications are run in.

use super::super::listening::Listening;
use super::super::sources::Sources;
use super::folder::Folder;
use super::program::{Project, is_plain, told, words};

const USUAL: [&str; 6] = ["server.py", "app.py", "main.py", "asgi.py", "wsgi.py", "__main__.py"];

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let pyproject = folder.read("pyproject.toml");
    let requirements = folder.read("requirements.txt");
    let scripts: Vec<String> = folder
        .files()
        .into_iter()
        .filter(|name| name.ends_with(".py"))
        .collect();
    let usual = USUAL.into_iter().find(|name| folder.has(name)).map(str::to_owned);
    let only = || (scripts.len() == 1).then(|| scripts[0].clone());
    let script = usual.or_else(only).filter(|script| is_plain(script));
    if pyproject.is_none() && requirements.is_none() && script.is_none() {
        return None;
    }
    let needs = format!(
        "{}\n{}",
        requirements.as_deref().unwrap_or(""),
        pyproject.as_deref().unwrap_or("")
    );
    let mut steps = Vec::new();
    let mut checks = Vec::new();
    let packaged = requirements.is_some() || pyproject.is_some();
    let python = if packaged {
        "{build_dir}/venv/bin/python"
    } else {
        "python3"
    };
    if packaged {
        steps.push(words(&["python3", "-m", "venv", "{build_dir}/venv"]));
        let from = match requirements {
            Some(_) => ["-r", "{server_dir}/requirements.txt"].as_slice(),
            None => ["{server_dir}"].as_slice(),
        };
        let install = words(&[
            "{build_dir}/venv/bin/pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
        ]);
        steps.push([install, words(from)].concat());
        checks.push("Pin the versions of what is installed, so that each build is the same.".to_owned());
    }
    let script = script.unwrap_or_else(|| {
        checks.push("No server.py, app.py or main.py says what to run; write it into run.command.".to_owned());
        "server.py".to_owned()
    });
    let (command, listening) = command(python, &script, &needs, sources, &mut checks);
    Some(Project {
        found: if packaged {
            format!("Python with packages; {script} is run.")
        } else {
            format!("A Python script, {script}.")
        },
        language: "Python".to_owned(),
        commands: vec!["python3"],
        debian: vec!["python3-venv"],
        homebrew: vec!["python"],
        steps,
        command,
        listening,
        checks,
        ..Project::default()
    })
}

/// The script itself where it starts a server; otherwise the application in it, by the server that is installed with it.
fn command(
    python: &str,
    script: &str,
    needs: &str,
    sources: &Sources,
    checks: &mut Vec<String>,
) -> (Vec<String>, Option<Listening>) {
    let module = script.trim_end_matches(".py");
    let source = sources
        .0
        .iter()
        .find(|source| source.path == script)
        .map_or("", |source| source.squeezed.as_str());
    let starts_itself =
        source.contains("uvicorn.run(") || source.contains(".run(") || source.contains("serve_forever(");
    let within = |server: &str| needs.contains(server) && !starts_itself;
    let app = format!("{module}:app");
    let mut by = |words: Vec<String>, server: &str, arguments: &[&str]| {
        checks.push(format!(
            "The application is taken to be `app` in {script}; {server} runs it."
        ));
        let found = format!("{server} is told where to listen; server.toml passes it.");
        (words, told(arguments, &found))
    };
    if within("uvicorn") {
        let words = words(&[
            python,
            "-m",
            "uvicorn",
            &app,
            "--app-dir",
            "{server_dir}",
            "--log-level",
            "warning",
        ]);
        let arguments = ["--host", "{address}", "--port", "{port}", "--workers", "{workers}"];
        return by(words, "uvicorn", &arguments);
    }
    if within("gunicorn") {
        let words = words(&[python, "-m", "gunicorn", &app, "--chdir", "{server_dir}"]);
        return by(
            words,
            "gunicorn",
            &["--bind", "{address}:{port}", "--workers", "{workers}"],
        );
    }
    (vec![python.to_owned(), format!("{{server_dir}}/{script}")], None)
}
