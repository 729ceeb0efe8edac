//! Python: a script, or an application that a server runs, such as one of Django, Flask or FastAPI.

use super::super::listening;
use super::super::sources::Sources;
use super::folder::Folder;
use super::program::{Project, in_folder, is_plain, told, words};
use super::python_packages;
use super::python_project::{self, PythonProject};
use super::python_script::{self, STARTING};

const USUAL: [&str; 7] = [
    "server.py",
    "app.py",
    "main.py",
    "run.py",
    "asgi.py",
    "wsgi.py",
    "__main__.py",
];

/// What makes an application, the package that it is of, and whether it is for ASGI.
const FRAMEWORKS: [(&str, &str, bool); 6] = [
    ("FastAPI(", "fastapi", true),
    ("Starlette(", "starlette", true),
    ("Litestar(", "litestar", true),
    ("Quart(", "quart", true),
    ("Flask(", "flask", false),
    ("Sanic(", "sanic", false),
];

/// An application that a server imports.
struct App {
    file: String,
    /// Where its module is looked for: nothing, or a folder such as `/src`.
    above: String,
    module: String,
    /// Of the application in it; with `()` it makes one.
    name: String,
    package: &'static str,
    asgi: bool,
}

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let projects = python_project::all(folder);
    let named = python_script::look(&projects, sources);
    let needs = python_packages::named(folder);
    let app = django(folder, sources, needs.as_deref()).or_else(|| application(folder, sources));
    let scripts: Vec<String> = folder
        .files()
        .into_iter()
        .filter(|name| name.ends_with(".py"))
        .collect();
    let usual = USUAL.into_iter().find(|name| folder.has(name)).map(str::to_owned);
    let only = || (scripts.len() == 1).then(|| scripts[0].clone());
    let script = usual.or_else(only).filter(|script| is_plain(script));
    if needs.is_none() && script.is_none() && app.is_none() && named.is_none() {
        return None;
    }
    let mut checks = Vec::new();
    let calls = |script: &str, calls: &[&str]| {
        let own = sources.0.iter().find(|source| source.path == script);
        own.is_some_and(|own| calls.iter().any(|call| own.squeezed.contains(call)))
    };
    let starts = script.as_ref().is_some_and(|script| calls(script, &STARTING));
    let of_app = app.as_ref().and_then(|app| member(&projects, &app.file));
    let needs = needs.into_iter().chain(of_app.map(|member| member.text.to_lowercase()));
    let needs = needs.collect::<Vec<_>>().join("\n");
    let missing = app.as_ref().map(|app| missing(app, &needs)).unwrap_or_default();
    let flask = app.as_ref().is_some_and(|app| app.package == "flask");
    // A script that can be told where to listen is run as it is, unless that is Flask's own server and there is a better one.
    let better = flask && needs.contains("gunicorn");
    let is_told = !better && listening::look(sources).certain;
    let as_it_is = starts && is_told;
    // The project's own command, by the same rule.
    let named = named.filter(|(script, _)| match &app {
        Some(app) => app.package != "django" && script.starts && is_told,
        None => script.starts || !starts,
    });
    let app = match app {
        _ if named.is_some() => None,
        Some(app) if app.package == "django" || !as_it_is => Some(app),
        None if !starts && (needs.contains("uvicorn") || needs.contains("gunicorn")) => {
            script.as_deref().map(named_app)
        }
        _ => None,
    };
    let app = app.map(|app| App {
        asgi: app.asgi || (app.package.is_empty() && needs.contains("uvicorn")),
        ..app
    });
    let of_named = named.as_ref().map(|(script, _)| &projects[script.project]);
    let project = of_named.or(of_app).or(projects.first());
    let in_workspace = projects.first().is_some_and(PythonProject::is_workspace);
    let packages = python_packages::of(folder, &missing, project, in_workspace);
    match python_project::above(folder) {
        Some(file) => checks.push(format!(
            "{} has this project in its workspace, with the uv.lock, and Rigmark builds a copy of this folder alone: run \
             `rigmark new server` in the workspace's own folder.",
            file.display()
        )),
        None => checks.extend(packages.check.clone()),
    }
    let development = |by: &str| {
        format!(
            "{by} is for development: to measure what you deploy, add gunicorn to what is installed, and run this again with \
             --force."
        )
    };
    let mut env = Vec::new();
    let (found, command, listening) = match (&app, &named) {
        (_, Some((script, others))) => {
            if !others.is_empty() {
                checks.insert(
                    0,
                    format!(
                        "The project has several commands; {} was taken. Change run.command for {}.",
                        script.name,
                        others.join(" or ")
                    ),
                );
            }
            if !script.starts && others.is_empty() {
                let name = &script.name;
                checks.insert(0, format!("The project's command {name} is taken to be the server."));
            }
            checks.extend(debugs(sources, "debug=True"));
            let found = format!("Python with packages; its command {} is run.", script.name);
            let command = if packages.has_project {
                vec![format!("{{build_dir}}/venv/bin/{}", script.name)]
            } else {
                env.push(("PYTHONPATH".to_owned(), format!("{{server_dir}}{}", script.above)));
                vec![packages.python, "-c".to_owned(), script.call()]
            };
            (found, command, None)
        }
        (Some(app), None) => {
            let server = server(app, &needs);
            let by = match server {
                "" if app.package == "django" => "Django's own server",
                "" => "Flask's own server",
                server => server,
            };
            let about = format!(
                "The application is taken to be `{}` in {}; {by} runs it.",
                app.name, app.file
            );
            checks.insert(0, about);
            if server.is_empty() {
                checks.push(development(by));
            }
            if app.package == "django" {
                checks.extend(debugs(sources, "DEBUG=True"));
            }
            let (command, arguments) = command(app, server, &packages.python);
            let told = told(
                &arguments,
                &format!("{by} is told where to listen; server.toml passes it."),
            );
            (format!("Python with packages; {by} runs {}.", app.file), command, told)
        }
        (None, None) => {
            let script = script.unwrap_or_else(|| {
                checks.push("No server.py, app.py or main.py says what to run; write it into run.command.".to_owned());
                "server.py".to_owned()
            });
            if flask && calls(&script, &[".run("]) {
                checks.push(development("Flask's own server"));
            }
            checks.extend(debugs(sources, "debug=True"));
            let found = match packages.steps.is_empty() {
                false => format!("Python with packages; {script} is run."),
                true => format!("A Python script, {script}."),
            };
            (found, vec![packages.python, format!("{{server_dir}}/{script}")], None)
        }
    };
    Some(Project {
        found,
        language: "Python".to_owned(),
        commands: packages.commands,
        debian: packages.debian,
        homebrew: packages.homebrew,
        steps: packages.steps,
        command,
        env,
        listening,
        checks,
        ..Project::default()
    })
}

/// The member of a workspace that the file is of.
fn member<'a>(projects: &'a [PythonProject], file: &str) -> Option<&'a PythonProject> {
    let has = |project: &&PythonProject| file.starts_with(&format!("{}/", project.place));
    let members = projects.iter().skip(1).filter(has);
    members.max_by_key(|project| project.place.len())
}

fn debugs(sources: &Sources, words: &str) -> Option<String> {
    let mut own = sources.0.iter().filter(|source| source.path.ends_with(".py"));
    let path = &own.find(|source| source.squeezed.contains(words))?.path;
    Some(format!(
        "{path} turns debugging on, which is slow and not what you deploy: turn it off."
    ))
}

/// As most are called, where no line says it.
fn named_app(script: &str) -> App {
    App {
        file: script.to_owned(),
        above: String::new(),
        module: script.trim_end_matches(".py").to_owned(),
        name: "app".to_owned(),
        package: "",
        asgi: false,
    }
}

/// The project that manage.py is for.
fn django(folder: &Folder<'_>, sources: &Sources, needs: Option<&str>) -> Option<App> {
    folder
        .read("manage.py")
        .filter(|text| text.contains("DJANGO_SETTINGS_MODULE"))?;
    let has = |name: &str| needs.is_some_and(|needs| needs.contains(name));
    let asgi = has("uvicorn") && !has("gunicorn");
    let ending = if asgi { "/asgi.py" } else { "/wsgi.py" };
    let mut paths = sources.0.iter().map(|source| &source.path);
    let file = paths.find(|path| path.ends_with(ending) && is_plain(path))?.clone();
    Some(App {
        above: String::new(),
        module: file.trim_end_matches(".py").replace('/', "."),
        name: "application".to_owned(),
        package: "django",
        asgi,
        file,
    })
}

/// The first line of a source that makes an application, or a function that does.
fn application(folder: &Folder<'_>, sources: &Sources) -> Option<App> {
    let made = |line: &str| {
        let (name, value) = line.split_once('=')?;
        let name = name.split(':').next()?.trim_end();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
        let value = value.trim_start();
        // Of a module that was imported whole.
        let whole = value.split_once('.').filter(|(module, _)| !module.contains('('));
        let value = whole.map_or(value, |(_, call)| call);
        let of = FRAMEWORKS
            .iter()
            .copied()
            .find(|(call, ..)| is_name && value.starts_with(call))?;
        Some((name.to_owned(), of))
    };
    let factory = |text: &str| {
        let of = FRAMEWORKS.iter().copied().find(|(call, ..)| text.contains(call))?;
        text.contains("\ndef create_app(")
            .then(|| ("create_app()".to_owned(), of))
    };
    let own = sources
        .0
        .iter()
        .filter(|source| source.path.ends_with(".py") && is_plain(&source.path));
    let mut found = own.clone().filter_map(|source| {
        let (name, of) = source.text.lines().find_map(made).or_else(|| factory(&source.text))?;
        Some((source.path.clone(), name, of))
    });
    let (mut file, mut name, (_, package, asgi)) = found.next()?;
    // One that the project calls itself, with what the function needs.
    let called = |line: &str| {
        let (name, value) = line.split_once('=')?;
        let is_name = name.trim_end().chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && value.trim_start().starts_with("create_app(")).then(|| name.trim_end().to_owned())
    };
    let mut calls = own.filter_map(|source| Some((source.path.clone(), source.text.lines().find_map(called)?)));
    if let Some(call) = calls.next().filter(|_| name.ends_with("()")) {
        (file, name) = call;
    }
    let (above, module) = module_of(folder, sources, &file);
    Some(App {
        file,
        above,
        module,
        name,
        package,
        asgi,
    })
}

/// A folder is part of the module's name where it is a package, or where others import it as one.
fn module_of(folder: &Folder<'_>, sources: &Sources, file: &str) -> (String, String) {
    let mut parts: Vec<&str> = file.trim_end_matches(".py").split('/').collect();
    let mut module = vec![parts.pop().unwrap_or_default()];
    while let Some(&last) = parts.last() {
        let imports = [format!("from {last}."), format!("from {last} import ")];
        let imported = |text: &str| {
            text.lines()
                .any(|line| imports.iter().any(|import| line.starts_with(import)))
        };
        let is_package = folder.has(&format!("{}/__init__.py", parts.join("/")));
        if !is_package && !sources.0.iter().any(|source| imported(&source.text)) {
            break;
        }
        module.insert(0, last);
        parts.pop();
    }
    module.retain(|part| *part != "__init__");
    let above = parts.iter().map(|part| format!("/{part}")).collect();
    (above, module.join("."))
}

/// The packages that it cannot run without and that nothing names.
fn missing(app: &App, needs: &str) -> Vec<&'static str> {
    let mut missing = Vec::new();
    missing.extend(Some(app.package).filter(|package| !package.is_empty() && needs.is_empty()));
    let brings = ["uvicorn", "fastapi[standard]", "fastapi[all]", "litestar[standard]"];
    missing.extend((app.asgi && !brings.iter().any(|name| needs.contains(name))).then_some("uvicorn"));
    missing
}

/// What runs it; nothing for the framework's own.
fn server(app: &App, needs: &str) -> &'static str {
    match app.asgi {
        true => "uvicorn",
        false if app.package == "sanic" => "sanic",
        false if needs.contains("gunicorn") => "gunicorn",
        false => "",
    }
}

/// Without and with where it listens.
fn command(app: &App, server: &str, python: &str) -> (Vec<String>, Vec<&'static str>) {
    let App {
        module, name, above, ..
    } = app;
    let place = format!("{{server_dir}}{above}");
    let target = format!("{module}:{name}");
    let file = format!("{{server_dir}}/{}:{name}", app.file);
    let target_of_uvicorn = target.trim_end_matches("()");
    let (mut line, arguments) = match (server, app.package) {
        ("uvicorn", _) => (
            words(&[
                "-m",
                "uvicorn",
                target_of_uvicorn,
                "--app-dir",
                &place,
                "--log-level",
                "warning",
            ]),
            vec!["--host", "{address}", "--port", "{port}", "--workers", "{workers}"],
        ),
        ("gunicorn", _) => (
            words(&["-m", "gunicorn", &target, "--chdir", &place]),
            vec!["--bind", "{address}:{port}", "--workers", "{workers}"],
        ),
        // It looks for the application where it is started.
        ("sanic", _) => {
            let line = [in_folder(&place), words(&[python, "-m", "sanic", &target])].concat();
            let arguments = vec![
                "--host",
                "{address}",
                "--port",
                "{port}",
                "--workers",
                "{workers}",
                "--no-access-logs",
            ];
            return (line, arguments);
        }
        (_, "django") => (
            words(&["{server_dir}/manage.py", "runserver", "--noreload"]),
            vec!["{address}:{port}"],
        ),
        _ => (
            words(&["-m", "flask", "--app", &file, "run"]),
            vec!["--host", "{address}", "--port", "{port}"],
        ),
    };
    line.insert(0, python.to_owned());
    line.extend((server == "uvicorn" && name.ends_with("()")).then(|| "--factory".to_owned()));
    (line, arguments)
}
