//! A command that pyproject.toml names, such as `serve = "app.main:main"`: what `uv run serve` starts.

use super::super::server_name::is_server;
use super::super::sources::Sources;
use super::members::joined;
use super::python_project::PythonProject;

/// What starts a server. The last are Waitress's and aiohttp's.
pub const STARTING: [&str; 4] = [".run(", "serve_forever(", "serve(app", "run_app("];

pub struct Script {
    pub name: String,
    /// Which of the projects has it.
    pub project: usize,
    /// Where its module is looked for: nothing, or a folder such as `/src`.
    pub above: String,
    module: String,
    function: String,
    /// Its module starts a server itself.
    pub starts: bool,
}

/// One that starts a server, else one that is called as a server is; and the names of the others.
pub fn look(projects: &[PythonProject], sources: &Sources) -> Option<(Script, Vec<String>)> {
    let mut all = Vec::new();
    for (number, project) in projects.iter().enumerate() {
        let scripts = project.scripts().into_iter();
        all.extend(scripts.filter_map(|(name, target)| script(number, project, name, &target, sources)));
    }
    let serves = |name: &str| is_server(name) || ["start", "run"].contains(&name);
    all.sort_by_key(|script| (!script.starts, !serves(&script.name)));
    let mut all = all.into_iter();
    let first = all.next()?;
    Some((first, all.map(|script| script.name).collect()))
}

fn script(number: usize, project: &PythonProject, name: String, target: &str, sources: &Sources) -> Option<Script> {
    // What is optional may stand behind it.
    let target = target.split('[').next()?.trim();
    let (module, function) = target.split_once(':')?;
    let is_dotted = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.');
    if !is_dotted(module) || !is_dotted(function) || !is_dotted(&name.replace('-', "_")) {
        return None;
    }
    let path = module.replace('.', "/");
    let found = ["", "src"].into_iter().find_map(|below| {
        let above = joined(&project.place, below).trim_end_matches('/').to_owned();
        let files = [format!("{path}.py"), format!("{path}/__init__.py")].map(|file| joined(&above, &file));
        let source = sources.0.iter().find(|source| files.contains(&source.path))?;
        let above = if above.is_empty() { above } else { format!("/{above}") };
        Some((above, starts_a_server(&source.squeezed)))
    });
    let (above, starts) = found?;
    Some(Script {
        name,
        project: number,
        above,
        module: module.to_owned(),
        function: function.to_owned(),
        starts,
    })
}

/// `subprocess.run(` starts something else, and `asyncio.run(` anything.
fn starts_a_server(squeezed: &str) -> bool {
    const OF_ASYNCIO: [&str; 5] = [".listen(", ".serve(", "create_server(", "start_server(", "TCPSite("];
    let others = squeezed.replace("subprocess.run(", "").replace("asyncio.run(", "");
    let of_asyncio = others.len() < squeezed.len() && OF_ASYNCIO.iter().any(|call| squeezed.contains(call));
    of_asyncio || STARTING.iter().any(|call| others.contains(call))
}

impl Script {
    /// The same without a command, where the project is not installed.
    pub fn call(&self) -> String {
        let Self { module, function, .. } = self;
        let imported = function.split('.').next().unwrap_or(function);
        format!("import sys; from {module} import {imported}; sys.exit({function}())")
    }
}
