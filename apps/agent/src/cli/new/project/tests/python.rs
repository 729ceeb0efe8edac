//! Python: commands of a project, workspaces of uv, and applications that a function makes.

use super::*;

const LOCKED: &str = "env UV_PROJECT_ENVIRONMENT={build_dir}/venv uv sync --frozen --no-dev --no-editable";
const MAIN: &str = "import os, uvicorn\nfrom fastapi import FastAPI\n\napp = FastAPI()\n\ndef main():\n    \
                    uvicorn.run(app, port=int(os.environ['PORT']))\n";
const PROJECT: &str = "[project]\nname = \"web\"\ndependencies = [\"fastapi\", \"uvicorn\"]\n[project.scripts]\n\
                       serve = \"app.main:main\"\n";
const BUILT: &str = "[build-system]\nrequires = [\"hatchling\"]\n";

fn command_and_steps(files: &[(&str, &str)]) -> (Manifest, String, Vec<String>, Vec<String>) {
    let (manifest, checks) = written(files);
    let command = line(&manifest.run.command);
    let steps = manifest.build.steps.iter().map(|step| line(step)).collect();
    (manifest, command, steps, checks)
}

#[test]
fn a_command_of_the_project_is_run_as_uv_run_does() {
    let packaged = format!("{PROJECT}{BUILT}");
    for main in ["app/main.py", "src/app/main.py"] {
        let files = [("pyproject.toml", packaged.as_str()), ("uv.lock", ""), (main, MAIN)];
        let (manifest, command, steps, checks) = command_and_steps(&files);
        assert_eq!(
            (command.as_str(), &steps[..]),
            ("{build_dir}/venv/bin/serve", &[LOCKED.to_owned()][..])
        );
        assert_eq!(manifest.run.env["PORT"], "{port}");
        assert!(checks.is_empty(), "{checks:?}");
    }
    // pip installs it too.
    let (_, command, steps, _) = command_and_steps(&[("pyproject.toml", &packaged), ("app/main.py", MAIN)]);
    assert_eq!(command, "{build_dir}/venv/bin/serve");
    assert!(steps[1].ends_with(" {server_dir}"), "{steps:?}");
}

#[test]
fn a_project_that_is_not_installed_runs_from_its_folder() {
    let files = [("pyproject.toml", PROJECT), ("uv.lock", ""), ("src/app/main.py", MAIN)];
    let (manifest, command, ..) = command_and_steps(&files);
    assert_eq!(
        command,
        "{build_dir}/venv/bin/python -c import sys; from app.main import main; sys.exit(main())"
    );
    assert_eq!(manifest.run.env["PYTHONPATH"], "{server_dir}/src");
    // As Poetry is told to install here.
    let poetry =
        "[tool.poetry]\nname = \"web\"\n[tool.poetry.scripts]\nserve = \"app.main:cli.main\"\n[build-system]\n";
    let (_, command, ..) = command_and_steps(&[("pyproject.toml", poetry), ("poetry.lock", ""), ("app/main.py", MAIN)]);
    assert!(
        command.ends_with("from app.main import cli; sys.exit(cli.main())"),
        "{command}"
    );
}

#[test]
fn what_can_be_told_where_to_listen_comes_before_a_command() {
    let packaged = format!("{PROJECT}{BUILT}");
    let of = |main: &str| {
        command_and_steps(&[
            ("pyproject.toml", packaged.as_str()),
            ("uv.lock", ""),
            ("app/main.py", main),
        ])
        .1
    };
    let uvicorn = "{build_dir}/venv/bin/python -m uvicorn main:app --app-dir {server_dir}/app ";
    // Its port is its own.
    assert!(of(&MAIN.replace("int(os.environ['PORT'])", "8000")).starts_with(uvicorn));
    // Nothing says that it serves.
    assert!(of("app = FastAPI()\nos.environ['PORT']\ndef main():\n    migrate()\n").starts_with(uvicorn));
    let migrates =
        "app = FastAPI()\nos.environ['PORT']\ndef main():\n    subprocess.run(['alembic'])\n    asyncio.run(f())\n";
    assert!(of(migrates).starts_with(uvicorn));
    // A flag of a subcommand.
    let cli = "parser = argparse.ArgumentParser()\nsub = parser.add_subparsers()\nup = sub.add_parser('up')\n\
               up.add_argument('--port')\nserver.serve_forever()\n";
    assert_eq!(of(cli), "{build_dir}/venv/bin/serve up --port {port}");
}

#[test]
fn of_several_commands_the_one_that_serves() {
    let several = format!(
        "{}[build-system]\n",
        PROJECT.replace("serve =", "migrate = \"app.db:main\"\nserve =")
    );
    let files = [
        ("pyproject.toml", several.as_str()),
        ("uv.lock", ""),
        ("app/db.py", "def main(): pass\n"),
        ("app/main.py", MAIN),
    ];
    let (_, command, _, checks) = command_and_steps(&files);
    assert_eq!(command, "{build_dir}/venv/bin/serve");
    assert!(
        checks[0].contains("serve was taken") && checks[0].contains("for migrate"),
        "{checks:?}"
    );
}

#[test]
fn a_member_of_a_workspace_of_uv() {
    let root = "[tool.uv.workspace]\nmembers = [\"packages/*\"]\nexclude = [\"packages/old\"]\n";
    let packaged = format!("{PROJECT}{BUILT}");
    let library = "[project]\nname = \"lib\"\n";
    let files = [
        ("pyproject.toml", root),
        ("uv.lock", ""),
        ("packages/lib/pyproject.toml", library),
        ("packages/old/pyproject.toml", packaged.as_str()),
        ("packages/web/pyproject.toml", packaged.as_str()),
        ("packages/web/src/app/main.py", MAIN),
    ];
    let (_, command, steps, checks) = command_and_steps(&files);
    assert_eq!(command, "{build_dir}/venv/bin/serve");
    assert_eq!(steps, [format!("{LOCKED} --package web")]);
    assert!(checks.is_empty(), "{checks:?}");

    // An application without a command, and without a lock file.
    let plain = packaged.replace("serve = \"app.main:main\"\n", "");
    let files = [
        ("pyproject.toml", root),
        ("packages/web/pyproject.toml", plain.as_str()),
        ("packages/web/src/app/__init__.py", ""),
        ("packages/web/src/app/main.py", "app = FastAPI()\n"),
    ];
    let (_, command, steps, checks) = command_and_steps(&files);
    assert!(
        command.starts_with(
            "{build_dir}/venv/bin/python -m uvicorn app.main:app --app-dir {server_dir}/packages/web/src "
        ),
        "{command}"
    );
    assert_eq!(steps, [format!("{} --package web", LOCKED.replace(" --frozen", ""))]);
    assert!(checks.iter().any(|check| check.contains("run `uv lock`")), "{checks:?}");

    // The member alone.
    let dir = made(&files);
    let (_, checks) = manifest_of(&dir.path().join("packages/web")).unwrap();
    let told = checks
        .iter()
        .any(|check| check.contains("has this project in its workspace, with the uv.lock"));
    assert!(
        told && !checks.iter().any(|check| check.contains("Pin the versions")),
        "{checks:?}"
    );
}

#[test]
fn an_application_that_the_project_makes_itself() {
    let factory = "from flask import Flask\n\ndef create_app(config):\n    app = Flask(__name__)\n    return app\n";
    let call = "from app import create_app\n\napp = create_app(os.getenv('CONFIG') or 'default')\n";
    let files = [
        ("app/__init__.py", factory),
        ("blog.py", call),
        ("requirements.txt", "flask\ngunicorn\n"),
    ];
    let (_, command, ..) = command_and_steps(&files);
    assert!(
        command.starts_with("{build_dir}/venv/bin/python -m gunicorn blog:app --chdir {server_dir} "),
        "{command}"
    );
}
