//! An application for Rack by Puma, such as one of Rails, or a script of Sinatra.

use super::super::sources::Sources;
use super::folder::Folder;
use super::program::{Project, commands, is_plain, pairs, told_by, words};

pub fn look(folder: &Folder<'_>, sources: &Sources) -> Option<Project> {
    let gems = folder.read("Gemfile").map(|text| text.replace('\'', "\""));
    let named = |gem: &str| gems.as_ref().is_some_and(|gems| gems.contains(&format!("\"{gem}\"")));
    let at_top = |path: &str| path.ends_with(".rb") && !path.contains('/') && is_plain(path);
    let mut scripts = sources.0.iter().filter(|source| at_top(&source.path));
    let script = scripts.find(|source| source.squeezed.contains("require\"sinatra\""));
    let mut project = Project {
        language: "Ruby".to_owned(),
        commands: vec!["ruby"],
        debian: vec!["ruby-full", "build-essential"],
        homebrew: vec!["ruby"],
        env: pairs(&[("RACK_ENV", "production")]),
        ..Project::default()
    };
    if gems.is_some() {
        project.commands.push("bundle");
        project.debian.push("ruby-bundler");
        project.steps = commands(&[
            "bundle config set --local path {build_dir}/gems",
            "bundle config set --local without development:test",
            "bundle install",
        ]);
        project.env.extend(pairs(&[("BUNDLE_GEMFILE", "{server_dir}/Gemfile")]));
        project.command = words(&["bundle", "exec"]);
    }
    if gems.is_some() && folder.has("config.ru") {
        project.found = "An application for Rack; Puma runs it.".to_owned();
        project.command.extend(words(&["puma", "--dir", "{server_dir}"]));
        if folder.has("config/puma.rb") {
            project.command.extend(words(&["-C", "{server_dir}/config/puma.rb"]));
        }
        project.env.extend(pairs(&[("WEB_CONCURRENCY", "{workers}")]));
        project.listening = told_by(
            &["-b", "tcp://{address}:{port}"],
            &[],
            "Puma is told where to listen; server.toml passes it.",
        );
        if !named("puma") {
            let check = "There is no puma in Gemfile: add it, or write into run.command what runs config.ru.";
            project.checks.push(check.to_owned());
        }
        if named("rails") {
            rails(&mut project, &named);
        }
        return Some(project);
    }
    let script = script?.path.as_str();
    project.found = format!("A script of Sinatra, {script}.");
    project
        .command
        .extend(["ruby".to_owned(), format!("{{server_dir}}/{script}")]);
    if gems.is_none() {
        project.steps = commands(&["gem install --install-dir {build_dir}/gems --no-document sinatra rackup puma"]);
        project.env.extend(pairs(&[("GEM_PATH", "{build_dir}/gems")]));
        project.checks.push(
            "No Gemfile names its gems, so each build takes the newest sinatra, rackup and puma: write one with what else \
             it needs, and run this again with --force."
                .to_owned(),
        );
    }
    project.listening = told_by(
        &["-o", "{address}", "-p", "{port}"],
        &[],
        "Sinatra takes -o and -p; server.toml passes them.",
    );
    Some(project)
}

fn rails(project: &mut Project, named: &dyn Fn(&str) -> bool) {
    project.found = "A Rails project; Puma runs it.".to_owned();
    let database = named("sqlite3").then_some("db:prepare");
    let assets = (named("propshaft") || named("sprockets-rails")).then_some("assets:precompile");
    let tasks: Vec<&str> = [database, assets].into_iter().flatten().collect();
    if !tasks.is_empty() {
        let run = "env RAILS_ENV=production SECRET_KEY_BASE=only-measured bundle exec rails";
        project
            .steps
            .extend(commands(&[format!("{run} {}", tasks.join(" ")).as_str()]));
    }
    // At its usual level it logs each request.
    let own = [
        ("RAILS_ENV", "production"),
        ("RAILS_LOG_LEVEL", "warn"),
        ("SECRET_KEY_BASE", "only-measured"),
    ];
    project.env.extend(pairs(&own));
    project.checks.push(
        "It runs as in production: `config.force_ssl` would answer each request with a redirect, and a database on this host \
         cannot be reached."
            .to_owned(),
    );
}
