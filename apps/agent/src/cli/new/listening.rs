//! How a server is told where to listen: by an environment variable, a flag or an argument. Looked for in its sources, by the
//! ways that most servers have; what is found is a guess that one can read.

use super::fixed_port;
use super::sources::{Source, Sources};
use super::subcommand::{self, Subcommand};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listening {
    /// Arguments behind the command.
    pub arguments: Vec<String>,
    pub env: Vec<(String, String)>,
    /// At which it always listens.
    pub port: Option<u16>,
    /// One sentence.
    pub found: String,
    /// What to do where it is not certain; one sentence.
    pub advice: String,
    pub certain: bool,
}

const PORT: &str = "{port}";
const ADDRESS: &str = "{address}";
const BOTH: &str = "{address}:{port}";

const PORT_VARIABLES: [&str; 5] = ["PORT", "HTTP_PORT", "SERVER_PORT", "LISTEN_PORT", "APP_PORT"];
const BOTH_VARIABLES: [&str; 8] = [
    "LISTEN_ADDR",
    "LISTEN_ADDRESS",
    "BIND_ADDR",
    "HTTP_ADDR",
    "SERVER_ADDR",
    "ADDR",
    "LISTEN",
    "BIND",
];
const HOST_VARIABLES: [&str; 5] = ["HOST", "BIND_HOST", "LISTEN_HOST", "SERVER_HOST", "ADDRESS"];
/// Before the quoted name of a variable, in squeezed text.
const READS: [&str; 14] = [
    "getenv(",
    "get_env(",
    "GetEnvironmentVariable(",
    "Getenv(",
    "LookupEnv(",
    "env::var(",
    "env::var_os(",
    "env!(",
    "environ[",
    "environ.get(",
    "process.env[",
    "ENV[",
    "ENV.fetch(",
    "env.get(",
];

const PORT_FLAGS: [&str; 4] = ["port", "http-port", "listen-port", "server-port"];
const BOTH_FLAGS: [&str; 8] = [
    "addr",
    "listen",
    "listen-addr",
    "listen-address",
    "bind-addr",
    "http-addr",
    "bind",
    "http",
];
const HOST_FLAGS: [&str; 4] = ["address", "host", "hostname", "bind-host"];

/// The first argument, in squeezed text.
const FIRST_ARGUMENTS: [&str; 8] = [
    "os.Args[1]",
    "flag.Arg(0)",
    "args().nth(1)",
    "args().skip(1).next()",
    "sys.argv[1]",
    "process.argv[2]",
    "argv[1]",
    "ARGV[0]",
];

pub fn look(sources: &Sources) -> Listening {
    let variables = variables(sources);
    let flags = || flags(sources);
    let argument = || first_argument(sources);
    variables
        .or_else(flags)
        .or_else(argument)
        .unwrap_or_else(|| unknown(sources))
}

/// Where the first of these words is, and in which file.
fn first<'a>(
    sources: &'a Sources,
    words: &[&'static str],
    has: impl Fn(&Source, &str) -> bool,
) -> Option<(&'static str, &'a str)> {
    words.iter().find_map(|word| {
        let source = sources.0.iter().find(|source| has(source, word))?;
        Some((*word, source.path.as_str()))
    })
}

fn variables(sources: &Sources) -> Option<Listening> {
    let reads = |source: &Source, name: &str| {
        let text = &source.squeezed;
        let quoted = READS.iter().any(|read| text.contains(&format!("{read}\"{name}\"")));
        // In clap's attribute, in a Spring property, and as a property of JavaScript.
        let bare = |before: &str| {
            let wanted = format!("{before}{name}");
            let mut ends = text.match_indices(&wanted).map(|(at, found)| at + found.len());
            ends.any(|end| !text[end..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        let is_setting = source.path.ends_with(".properties") || source.path.ends_with(".yml");
        let in_setting = is_setting && bare("${");
        let of_js = bare("process.env.") || bare("Bun.env.") || (text.contains("}=process.env") && bare("{"));
        // Its `Run` without an address does so itself.
        let of_gin = name == "PORT" && text.contains("gin-gonic/gin\"") && text.contains(".Run()");
        quoted || text.contains(&format!("env=\"{name}\"")) || of_js || of_gin || in_setting
    };
    let host = first(sources, &HOST_VARIABLES, reads);
    let of = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    if let Some((port, path)) = first(sources, &PORT_VARIABLES, reads) {
        let host = host.map(|(name, _)| (name, ADDRESS));
        let names = host.map_or_else(|| port.to_owned(), |(host, _)| format!("{port} and {host}"));
        let found = certain(
            Vec::new(),
            [Some((port, PORT)), host].into_iter().flatten().map(of).collect(),
            format!("{path} reads {names} from the environment; server.toml sets it to where it is to listen."),
        );
        return Some(started_by(found, subcommand::of_variable(sources, port), path, port));
    }
    let (both, path) = first(sources, &BOTH_VARIABLES, reads)?;
    let found = certain(
        Vec::new(),
        vec![of((both, BOTH))],
        format!("{path} reads {both} from the environment; server.toml sets it to address and port."),
    );
    Some(started_by(found, subcommand::of_variable(sources, both), path, both))
}

fn flags(sources: &Sources) -> Option<Listening> {
    let host = first(sources, &HOST_FLAGS, takes);
    let pass = |arguments, found, path, flag| {
        let found = certain(arguments, Vec::new(), found);
        started_by(
            found,
            subcommand::of_flag(sources, path, flag),
            path,
            &format!("--{flag}"),
        )
    };
    if let Some((port, path)) = first(sources, &PORT_FLAGS, takes) {
        let own = subcommand::of_flag(sources, path, port);
        let mut arguments = vec![format!("--{port}"), PORT.to_owned()];
        let mut names = format!("--{port}");
        if let Some((host, _)) = host.filter(|(host, path)| subcommand::takes(sources, path, host, &own)) {
            arguments.extend([format!("--{host}"), ADDRESS.to_owned()]);
            names = format!("{names} and --{host}");
        }
        return Some(pass(
            arguments,
            format!("{path} takes {names}; server.toml passes it."),
            path,
            port,
        ));
    }
    let (both, path) = first(sources, &BOTH_FLAGS, takes).or(host)?;
    Some(pass(
        vec![format!("--{both}"), BOTH.to_owned()],
        format!("{path} takes --{both}; server.toml passes address and port as {BOTH}."),
        path,
        both,
    ))
}

/// With the subcommand that takes it before all else.
fn started_by(found: Listening, subcommand: Subcommand, path: &str, what: &str) -> Listening {
    let Subcommand { words, certain } = subcommand;
    let said = words.join(" ");
    let (sentence, advice) = match (certain, words.is_empty()) {
        (true, true) => return found,
        (true, false) => (
            format!(
                "{} The subcommand `{said}` takes it, so it is in run.command.",
                found.found
            ),
            "",
        ),
        (false, false) => (
            format!("{path} takes {what} of more than one subcommand; `{said}` was taken."),
            "If that is wrong, change run.command in server.toml.",
        ),
        (false, true) => (
            format!("{path} takes {what} of a subcommand, and it is not clear of which."),
            "Write the subcommand into run.command of server.toml, before its flags.",
        ),
    };
    Listening {
        arguments: [words, found.arguments].concat(),
        found: sentence,
        advice: advice.to_owned(),
        certain,
        ..found
    }
}

/// Go's flag packages, clap's fields, and whoever has the flag written out.
fn takes(source: &Source, name: &str) -> bool {
    let text = &source.squeezed;
    let flag = format!("--{name}");
    // As it is laid out: what comes after the flag ends it.
    let plain = &source.text;
    let mut written = plain.match_indices(&flag).map(|(at, found)| at + found.len());
    let whole = |end: usize| !plain[end..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    let quoted = format!("\"{name}\"");
    let of_go = text.match_indices(&quoted).any(|(at, _)| {
        let before: String = text[..at]
            .chars()
            .rev()
            .take(40)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .collect();
        let call = before.rsplit_once("flag.").or_else(|| before.rsplit_once("Flags()."));
        call.is_some_and(|(_, call)| call.contains('(') && !call.contains(')'))
    });
    let of_clap = subcommand::clap::attributes(source, name).next().is_some();
    written.any(whole) || of_go || of_clap
}

fn first_argument(sources: &Sources) -> Option<Listening> {
    // `process.argv[1]` is the program itself.
    let reads = |source: &Source, word: &str| {
        let mut found = source.squeezed.match_indices(word);
        found.any(|(at, _)| !source.squeezed[..at].ends_with("process."))
    };
    let (_, path) = first(sources, &FIRST_ARGUMENTS, reads)?;
    Some(Listening {
        arguments: vec![PORT.to_owned()],
        env: Vec::new(),
        port: None,
        found: format!("{path} reads its first argument; it was taken for the port."),
        advice: format!("If that is wrong, change run.command in server.toml; {BOTH} is filled in as well."),
        certain: false,
    })
}

/// Nothing was found: what most servers would understand.
fn unknown(sources: &Sources) -> Listening {
    // One that reads PORT in a way that was not seen takes what server.toml sets, also with a port of its own.
    let env = vec![("PORT".to_owned(), PORT.to_owned())];
    let (port, found, advice) = match fixed_port::look(sources) {
        Some((port, path)) => (
            Some(port),
            format!("{path} always listens on port {port}, it seems, so server.toml says `port = {port}`."),
            "If the number is wrong, correct it. If the port is not hard-coded, delete that line: then each start gets a free port, \
             in PORT.",
        ),
        None => (
            None,
            "The sources do not say how it gets its port.".to_owned(),
            "Rigmark picks a free port for each start: make it read PORT, or pass {port} in run.command. If the port is \
             hard-coded, write it under [run], such as `port = 3000`.",
        ),
    };
    Listening {
        arguments: Vec::new(),
        env,
        port,
        found,
        advice: advice.to_owned(),
        certain: false,
    }
}

fn certain(arguments: Vec<String>, env: Vec<(String, String)>, found: String) -> Listening {
    Listening {
        arguments,
        env,
        port: None,
        found,
        advice: String::new(),
        certain: true,
    }
}

#[cfg(test)]
#[path = "listening_tests.rs"]
mod tests;
