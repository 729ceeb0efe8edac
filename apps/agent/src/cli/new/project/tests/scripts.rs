//! Python, PHP and Ruby.

use super::*;

#[test]
fn python() {
    let own = "import os\nport = int(os.environ['PORT'])\nserver.serve_forever()\n";
    let (manifest, _) = written(&[("server.py", own)]);
    assert_eq!(line(&manifest.run.command), "python3 {server_dir}/server.py");
    let (manifest, _) = written(&[
        ("app.py", "app = FastAPI()"),
        ("requirements.txt", "fastapi==1\nuvicorn==1\n"),
    ]);
    assert_eq!(manifest.build.steps.len(), 2);
    assert!(
        line(&manifest.run.command)
            .starts_with("{build_dir}/venv/bin/python -m uvicorn app:app --app-dir {server_dir}")
    );
}

#[test]
fn python_as_frameworks_have_it() {
    let python = "{build_dir}/venv/bin/python";
    let said = |files: &[(&str, &str)]| {
        let (manifest, checks) = written(files);
        let command = line(&manifest.run.command).replacen(python, "python", 1);
        let steps: Vec<String> = manifest.build.steps.iter().map(|step| line(step)).collect();
        (command, steps.join("; "), checks)
    };
    let listening = " --host {address} --port {port}";
    let of_uvicorn = format!(" --log-level warning{listening} --workers {{workers}}");
    let fastapi = "from fastapi import FastAPI\n\napp = FastAPI()\n";

    // FastAPI: no line starts it, and `[standard]` brings uvicorn.
    let (command, steps, _) = said(&[("main.py", fastapi), ("requirements.txt", "fastapi[standard]\n")]);
    assert_eq!(
        command,
        format!("python -m uvicorn main:app --app-dir {{server_dir}}{of_uvicorn}")
    );
    assert!(steps.ends_with("-r {server_dir}/requirements.txt"), "{steps}");
    // In a package, by uv.
    let project = "[project]\nname = \"x\"\ndependencies = [\"fastapi>=0.1\"]\n";
    let (command, steps, _) = said(&[
        ("pyproject.toml", project),
        ("uv.lock", ""),
        ("app/__init__.py", ""),
        ("app/main.py", fastapi),
    ]);
    assert_eq!(
        command,
        format!("python -m uvicorn app.main:app --app-dir {{server_dir}}{of_uvicorn}")
    );
    assert_eq!(
        steps,
        "env UV_PROJECT_ENVIRONMENT={build_dir}/venv uv sync --frozen --no-dev --no-editable; \
         uv pip install --python {build_dir}/venv/bin/python uvicorn"
    );
    // By Poetry, below `src`.
    let (command, steps, _) = said(&[
        ("pyproject.toml", project),
        ("poetry.lock", ""),
        ("src/web/__init__.py", ""),
        (
            "src/web/api.py",
            "import fastapi\nserver = fastapi.FastAPI(title=\"a.b\")\n",
        ),
    ]);
    assert!(
        command.starts_with("python -m uvicorn web.api:server --app-dir {server_dir}/src "),
        "{command}"
    );
    assert!(steps.contains("poetry install --only main --no-root"), "{steps}");
    // Without a lock file, and no package itself.
    let (_, steps, _) = said(&[("pyproject.toml", project), ("main.py", fastapi)]);
    assert!(
        steps.ends_with("--disable-pip-version-check fastapi>=0.1 uvicorn"),
        "{steps}"
    );

    // Flask, by the lines of its quickstart, and its tutorial with gunicorn.
    let flask = "from flask import Flask\n\napp = Flask(__name__)\nif __name__ == '__main__':\n    app.run()\n";
    let (command, steps, checks) = said(&[("hello.py", flask)]);
    assert_eq!(
        command,
        format!("python -m flask --app {{server_dir}}/hello.py:app run{listening}")
    );
    assert!(steps.ends_with("--disable-pip-version-check flask"), "{steps}");
    let [application, none_named, development] = checks.as_slice() else {
        panic!("{checks:?}")
    };
    assert!(application.contains("`app` in hello.py") && none_named.contains("newest flask"));
    assert!(development.contains("gunicorn"));
    let factory = "from flask import Flask\n\ndef create_app():\n    app = Flask(__name__)\n    return app\n";
    let (command, ..) = said(&[
        ("flaskr/__init__.py", factory),
        ("requirements.txt", "flask\ngunicorn\n"),
    ]);
    assert_eq!(
        command,
        "python -m gunicorn flaskr:create_app() --chdir {server_dir} --bind {address}:{port} --workers {workers}"
    );
    // It can be told where to listen.
    let told = flask.replace("app.run()", "app.run(port=int(os.environ['PORT']))");
    let (command, ..) = said(&[("app.py", &told), ("requirements.txt", "flask\n")]);
    assert_eq!(command, "python {server_dir}/app.py");
    let (command, ..) = said(&[("app.py", &told), ("requirements.txt", "flask\ngunicorn\n")]);
    assert!(command.starts_with("python -m gunicorn app:app "), "{command}");

    let manage = "os.environ.setdefault('DJANGO_SETTINGS_MODULE', 'mysite.settings')";
    let django = |needs: &str| {
        let settings = ("mysite/settings.py", "DEBUG = True\n");
        let files = [
            ("manage.py", manage),
            ("mysite/wsgi.py", ""),
            settings,
            ("package.json", "{}"),
        ];
        said(&[&files[..], &[("requirements.txt", needs)]].concat())
    };
    let (command, _, checks) = django("Django==5\n");
    assert_eq!(
        command,
        "python {server_dir}/manage.py runserver --noreload {address}:{port}"
    );
    let checked = |words: &str| checks.iter().any(|check| check.contains(words));
    assert!(
        checked("gunicorn") && checked("mysite/settings.py turns debugging on"),
        "{checks:?}"
    );
    assert!(
        django("django\ngunicorn\n")
            .0
            .starts_with("python -m gunicorn mysite.wsgi:application ")
    );
}

#[test]
fn php_and_ruby() {
    let laravel = [
        ("composer.json", "{}"),
        ("artisan", ""),
        ("public/index.php", ""),
        ("package.json", r#"{"scripts": {"build": "vite build"}}"#),
    ];
    let (manifest, _) = written(&laravel);
    assert_eq!(
        line(&manifest.run.command),
        "php -S {address}:{port} -t {server_dir}/public"
    );
    let (manifest, _) = written(&[("server.php", "getenv('PORT')")]);
    assert_eq!(line(&manifest.run.command), "php {server_dir}/server.php");

    let gems = "gem \"rails\"\ngem \"puma\", \">= 5.0\"\ngem 'sqlite3'\ngem \"propshaft\"\n";
    let (manifest, _) = written(&[("Gemfile", gems), ("config.ru", ""), ("config/puma.rb", "")]);
    assert_eq!(
        line(&manifest.run.command),
        "bundle exec puma --dir {server_dir} -C {server_dir}/config/puma.rb -b tcp://{address}:{port}"
    );
    let steps = &manifest.build.steps;
    assert!(
        line(&steps[3]).ends_with("rails db:prepare assets:precompile"),
        "{steps:?}"
    );
    assert_eq!(manifest.run.env["RAILS_ENV"], "production");

    let sinatra = ("myapp.rb", "require 'sinatra'\nget('/') { 'x' }\n");
    let (manifest, checks) = written(&[sinatra]);
    assert_eq!(
        line(&manifest.run.command),
        "ruby {server_dir}/myapp.rb -o {address} -p {port}"
    );
    assert!(checks[0].contains("No Gemfile"), "{checks:?}");
    let (manifest, checks) = written(&[sinatra, ("Gemfile", "gem 'sinatra'\ngem 'puma'\n")]);
    assert!(line(&manifest.run.command).starts_with("bundle exec ruby {server_dir}/myapp.rb "));
    assert!(checks.is_empty(), "{checks:?}");
}
