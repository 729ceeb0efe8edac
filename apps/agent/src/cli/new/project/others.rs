//! Kinds of which one look at one file tells all: ASP.NET, Zig, Elixir and Caddy.

use std::path::Path;

use super::super::fixed_port::names_its_address;
use super::super::listening::Listening;
use super::super::sources::{Source, Sources};
use super::folder::Folder;
use super::program::{Project, commands, in_folder, is_plain, pairs, told_by, words};

/// The project of a web service: at the top, or below it beside its libraries and tests.
pub fn dotnet(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let is_project = |file: &String| file.ends_with(".csproj") || file.ends_with(".fsproj");
    let mut places = vec![String::new()];
    for above in ["", "src/"] {
        places.extend(folder.folders(above).iter().map(|name| format!("{above}{name}/")));
    }
    let files = places.iter().flat_map(|place| {
        let files = folder.files_in(place).into_iter().filter(is_project);
        files.map(move |file| format!("{place}{file}"))
    });
    let (file, text) = files
        .filter_map(|file| Some((folder.read(&file)?, file)))
        .find(|(text, _)| text.contains("Microsoft.NET.Sdk.Web"))
        .map(|(text, file)| (file, text))?;
    let stem = file.rsplit('/').next()?.rsplit_once('.')?.0;
    let named = text
        .split_once("<AssemblyName>")
        .and_then(|(_, rest)| rest.split_once('<'));
    let name = named.map_or(stem, |(name, _)| name.trim());
    // As `dotnet new webapiaot` has it: what is published is a program of its own.
    let native = text.contains("<PublishAot>true<");
    let program = format!("{{build_dir}}/{name}");
    let place = file.rsplit_once('/').map_or("", |(place, _)| place);
    // Beside it are its libraries and tests, which do not say where it listens.
    let (of_it, of_others): (Vec<&Source>, Vec<&Source>) = sources
        .0
        .iter()
        .partition(|source| Path::new(&source.path).starts_with(place));
    let own = of_it.into_iter().any(names_its_address);
    let of_others = of_others.into_iter().map(|source| source.path.clone()).collect();
    let listening = told_by(
        &[],
        &[("ASPNETCORE_URLS", "http://{address}:{port}")],
        "ASP.NET listens at ASPNETCORE_URLS if the program names no address itself; server.toml sets it.",
    );
    (is_plain(&file) && is_plain(name)).then(|| Project {
        found: format!("An ASP.NET project, {file}."),
        language: if file.ends_with(".fsproj") { "F#" } else { "C#" }.to_owned(),
        jit: !native,
        commands: vec!["dotnet"],
        homebrew: vec!["dotnet"],
        steps: vec![words(&[
            "dotnet",
            "publish",
            &file,
            "--configuration",
            "Release",
            "--output",
            "{build_dir}",
        ])],
        command: match native {
            true => vec![program],
            false => vec!["dotnet".to_owned(), format!("{program}.dll")],
        },
        // Its settings are beside it, and it looks for them where it is started.
        env: pairs(&[("ASPNETCORE_CONTENTROOT", "{build_dir}")]),
        listening: listening.filter(|_| !own),
        of_others,
        ..Project::default()
    })
}

pub fn zig(folder: &Folder<'_>) -> Option<Project> {
    let text: String = folder.read("build.zig")?.split_whitespace().collect();
    let made = text
        .split_once("addExecutable(")
        .and_then(|(_, rest)| rest.split_once(".name=\""));
    let name = made
        .and_then(|(_, rest)| rest.split('"').next())
        .filter(|name| is_plain(name));
    let name = name.unwrap_or(folder.name);
    Some(Project {
        found: format!("A Zig project; its program is {name}."),
        language: "Zig".to_owned(),
        commands: vec!["zig"],
        homebrew: vec!["zig"],
        steps: commands(&["zig build -Doptimize=ReleaseFast --prefix {build_dir}"]),
        command: vec![format!("{{build_dir}}/bin/{name}")],
        ..Project::default()
    })
}

/// Phoenix, and whatever else a release starts.
pub fn elixir(folder: &Folder<'_>) -> Option<Project> {
    let text: String = folder.read("mix.exs")?.split_whitespace().collect();
    let (_, rest) = text.split_once("app::")?;
    let name = rest.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    if name.is_empty() {
        return None;
    }
    let phoenix = text.contains("{:phoenix,");
    let mut steps = commands(&["env MIX_ENV=prod mix deps.get --only prod"]);
    if text.contains("assets.deploy") {
        // What is bundled may have parts that only a compiled project has.
        steps.extend(commands(&[
            "env MIX_ENV=prod mix compile",
            "env MIX_ENV=prod mix assets.deploy",
        ]));
    }
    steps.extend(commands(&["env MIX_ENV=prod mix release --path {build_dir}/release"]));
    // Nothing else is to be started beside it, such as Erlang's port mapper.
    let mut env = pairs(&[("RELEASE_DISTRIBUTION", "none")]);
    if phoenix {
        env.extend(pairs(&[("PHX_SERVER", "true")]));
        env.push(("SECRET_KEY_BASE".to_owned(), "only-measured-".repeat(5)));
    }
    let mut checks = Vec::new();
    if text.contains("{:ecto_sql,") {
        checks.push(
            "It runs as in production, where config/runtime.exs asks for more, such as DATABASE_URL: add it to run.env. A \
             database on this host cannot be reached."
                .to_owned(),
        );
    }
    Some(Project {
        found: format!(
            "{}, {name}.",
            if phoenix {
                "A Phoenix project"
            } else {
                "An Elixir project"
            }
        ),
        language: "Elixir".to_owned(),
        jit: true,
        commands: vec!["mix", "elixir"],
        debian: vec!["elixir"],
        homebrew: vec!["elixir"],
        steps,
        command: vec![format!("{{build_dir}}/release/bin/{name}"), "start".to_owned()],
        env,
        checks,
        ..Project::default()
    })
}

pub fn caddy(folder: &Folder<'_>) -> Option<Project> {
    let text = folder.read("Caddyfile")?;
    let told = text.contains("{$PORT");
    // A site with a name gets a certificate, unless it says http.
    let own = text.lines().find_map(|line| {
        let site = line.trim().trim_end_matches(['{', ' ']);
        site.trim_start_matches("http://").strip_prefix(':')?.parse().ok()
    });
    let found = match (told, own) {
        (true, _) => "Caddyfile takes PORT from the environment; server.toml sets it.".to_owned(),
        (false, Some(own)) => format!("Caddyfile always listens on port {own}; server.toml says so."),
        (false, None) => "Caddyfile says itself where it listens.".to_owned(),
    };
    Some(Project {
        found: "A Caddyfile.".to_owned(),
        language: "Go".to_owned(),
        commands: vec!["sh", "caddy"],
        debian: vec!["caddy"],
        homebrew: vec!["caddy"],
        command: [
            in_folder("{server_dir}"),
            words(&["caddy", "run", "--config", "Caddyfile"]),
        ]
        .concat(),
        listening: Some(Listening {
            arguments: Vec::new(),
            env: pairs(&[("PORT", "{port}")]),
            port: own.filter(|_| !told),
            found,
            advice:
                "Write a port alone there as the address of the site, such as `:2015`, or `http://:{$PORT}`, which \
                     each start sets."
                    .to_owned(),
            certain: told || own.is_some(),
        }),
        ..Project::default()
    })
}
