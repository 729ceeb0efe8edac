//! The port at which a program always listens, as its sources have it: a number behind a call or a name that says so.

use super::sources::{Source, Sources};

/// Where other services listen (mail, databases, caches, queues): a server's sources name their ports too.
const OF_OTHERS: [u16; 16] = [
    465, 587, 993, 1433, 1521, 2181, 2379, 3306, 4222, 5432, 5672, 6379, 9042, 9092, 11_211, 27_017,
];
/// Below it are the ports of other protocols.
const LEAST: u16 = 80;
/// In these languages a number alone behind `listen(` may be how many connections wait.
const WITH_BACKLOG: [&str; 7] = ["c", "cc", "cpp", "cxx", "py", "rb", "rs"];
const MOST_BACKLOG: u16 = 4096;

/// What stands before the number in squeezed text, surest first.
const CALLS: [&str; 23] = [
    "listen({port:",
    "listen(\"127.0.0.1\",",
    "listen(\"0.0.0.0\",",
    "listen(\"localhost\",",
    "bind((\"127.0.0.1\",",
    "bind((\"0.0.0.0\",",
    "bind((\"localhost\",",
    "run(([127,0,0,1],",
    "run(([0,0,0,0],",
    "from(([127,0,0,1],",
    "from(([0,0,0,0],",
    "listen(",
    "bind(",
    "InetSocketAddress(",
    "htons(",
    // http.server and socketserver of Python.
    "((\"\",",
    "=(\"\",",
    "((\"0.0.0.0\",",
    "((\"127.0.0.1\",",
    "((\"localhost\",",
    "TCPServer.new(",
    // Javalin.
    ").start(",
    // Crow.
    ".port(",
];
/// The same with a quote behind the number.
const ADDRESSES: [&str; 5] = ["\":", "\"0.0.0.0:", "\"127.0.0.1:", "\"localhost:", "\"[::]:"];
/// Calls of ASP.NET that take a whole address, and with which the environment does not count.
const URL_CALLS: [&str; 6] = [
    ".Run(\"http://",
    ".Run($\"http://",
    "UseUrls(\"http://",
    "UseUrls($\"http://",
    "Urls.Add(\"http://",
    "Urls.Add($\"http://",
];
/// The same with a number alone.
const KESTREL_CALLS: [&str; 3] = ["ListenLocalhost(", "ListenAnyIP(", "listen(IPAddress."];
/// What a file does that says where it listens.
const LISTENS: [&str; 8] = [
    "listen", "Listen", "bind(", "serve", "Serve", "run(", "run_app(", "tart(",
];
/// Before the word in the name of a variable.
const PREFIXES: [&str; 7] = ["", "server", "http", "listen", "app", "web", "default"];

/// With the file that says it.
pub fn look(sources: &Sources) -> Option<(u16, &str)> {
    let own: Vec<(&Source, String)> = sources
        .0
        .iter()
        .filter(|source| is_program(&source.path))
        // Go and C# begin it with a capital.
        .map(|source| (source, source.squeezed.replace("Listen(", "listen(")))
        .collect();
    let listening = || {
        own.iter()
            .filter(|(_, text)| LISTENS.iter().any(|word| text.contains(word)))
    };
    let called = || {
        CALLS.iter().find_map(|word| {
            own.iter().find_map(|(source, text)| {
                let least = match *word == "listen(" && has_backlog(&source.path) {
                    true => MOST_BACKLOG + 1,
                    false => LEAST,
                };
                found(behind(text, word, least, false), source)
            })
        })
    };
    let addressed = || {
        ADDRESSES
            .iter()
            .find_map(|word| listening().find_map(|(source, text)| found(behind(text, word, LEAST, true), source)))
    };
    let named = || listening().find_map(|(source, _)| found(named(&source.text), source));
    let of_asp_net = || {
        own.iter()
            .filter(|(source, _)| is_of_net(&source.path))
            .find_map(|(source, text)| found(of_asp_net(text), source))
    };
    of_asp_net().or_else(called).or_else(addressed).or_else(named)
}

fn found(port: Option<u16>, source: &Source) -> Option<(u16, &str)> {
    Some((port?, source.path.as_str()))
}

/// Of ASP.NET: does it say where it listens, so that nothing else can?
pub fn names_its_address(source: &Source) -> bool {
    let mut calls = URL_CALLS.iter().chain(&KESTREL_CALLS);
    is_of_net(&source.path) && calls.any(|call| source.squeezed.replace("Listen(", "listen(").contains(call))
}

fn is_of_net(path: &str) -> bool {
    path.ends_with(".cs") || path.ends_with(".fs")
}

fn of_asp_net(text: &str) -> Option<u16> {
    let after = |calls: &[&str]| {
        let found = calls.iter().find_map(|call| text.split_once(call));
        found.map(|(_, rest)| rest)
    };
    let of_url = || {
        let (address, _) = after(&URL_CALLS)?.split_once(['"', '/'])?;
        port(address.rsplit_once(':')?.1, LEAST)
    };
    let of_kestrel = || {
        let rest = after(&KESTREL_CALLS)?;
        // An address may stand before it.
        let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() && !c.is_ascii_digit());
        port(number(rest.trim_start_matches(',')).0, LEAST)
    };
    of_url().or_else(of_kestrel)
}

/// Not settings, which are of other programs too.
fn is_program(path: &str) -> bool {
    !path.ends_with(".yml") && !path.ends_with(".properties") && !path.contains(".config.")
}

fn has_backlog(path: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(_, ending)| WITH_BACKLOG.contains(&ending))
}

fn port(digits: &str, least: u16) -> Option<u16> {
    let port: u16 = digits.replace('_', "").parse().ok()?;
    (port >= least && !OF_OTHERS.contains(&port)).then_some(port)
}

/// The number that the text begins with, and what comes behind it.
fn number(text: &str) -> (&str, &str) {
    text.split_at(
        text.find(|c: char| !c.is_ascii_digit() && c != '_')
            .unwrap_or(text.len()),
    )
}

/// The first port behind the word, where nothing connects to it.
fn behind(text: &str, word: &str, least: u16, quoted: bool) -> Option<u16> {
    text.match_indices(word).find_map(|(at, found)| {
        let (digits, rest) = number(&text[at + found.len()..]);
        let start = text[..at].char_indices().rev().nth(9).map_or(0, |(start, _)| start);
        let before = text[start..at].to_lowercase();
        let connects = before.contains("connect") || before.contains("dial");
        let ends = !quoted || rest.starts_with('"');
        port(digits, least).filter(|_| ends && !connects)
    })
}

/// The number that is given to `port`, or to a name with it, as the text is laid out.
fn named(text: &str) -> Option<u16> {
    let lower = text.to_ascii_lowercase();
    lower.match_indices("port").find_map(|(at, found)| {
        let before = lower[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let prefix = lower[before.len()..at].trim_end_matches('_');
        if !PREFIXES.contains(&prefix) {
            return None;
        }
        let rest = lower[at + found.len()..].trim_start_matches(['"', '\'']).trim_start();
        let defined = before.trim_end().ends_with("#define").then_some(rest);
        let given = || {
            // A type may stand between.
            let (kind, value) = rest
                .split_once('=')
                .filter(|(kind, _)| kind.len() < 12 && !kind.contains('\n'))?;
            let kind = kind.trim_start_matches(':').trim();
            kind.chars().all(|c| c.is_ascii_alphanumeric()).then_some(value)
        };
        let value = defined
            .or_else(given)
            .or_else(|| rest.strip_prefix(':').or_else(|| rest.strip_prefix(",")))?;
        port(number(value.trim_start()).0, LEAST)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_all(files: &[(&str, &str)]) -> Option<u16> {
        let source = |(path, text): &(&str, &str)| Source::new((*path).to_owned(), (*text).to_owned());
        look(&Sources(files.iter().map(source).collect())).map(|(port, _)| port)
    }

    fn of(path: &str, text: &str) -> Option<u16> {
        of_all(&[(path, text)])
    }

    #[test]
    fn a_port_is_found_as_the_first_pages_of_frameworks_write_it() {
        for (path, text, port) in [
            ("main.go", "http.ListenAndServe(\":8080\", nil)", 8080),
            ("main.go", "e.Logger.Fatal(e.Start(\":1323\"))", 1323),
            ("main.go", "app.Listen(\":3000\")", 3000),
            (
                "main.go",
                "port := 8081\nhttp.ListenAndServe(fmt.Sprint(port), nil)",
                8081,
            ),
            ("app.js", "app.listen(3000)", 3000),
            ("app.js", "const port = 3000\napp.listen(port, () => {})", 3000),
            ("app.ts", "const port: number = 3000\napp.listen(port)", 3000),
            ("app.js", "await fastify.listen({ port: 3001 })", 3001),
            ("app.ts", "serve({\n  fetch: app.fetch,\n  port: 3000\n})", 3000),
            ("app.ts", "Deno.serve({ port: 8000 }, handler)", 8000),
            ("main.rs", "TcpListener::bind(\"127.0.0.1:7878\")", 7878),
            ("main.rs", ".bind((\"127.0.0.1\", 8080))?", 8080),
            ("main.rs", "warp::serve(hello).run(([127, 0, 0, 1], 3030))", 3030),
            ("main.rs", "SocketAddr::from(([0, 0, 0, 0], 3000))", 3000),
            ("main.rs", "const PORT: u16 = 4_000; bind(PORT)", 4000),
            ("Main.java", "HttpServer.create(new InetSocketAddress(8000), 0)", 8000),
            ("Main.java", "Javalin.create().get(\"/\", ctx -> {}).start(7070)", 7070),
            (
                "main.c",
                "#define SERVER_PORT 8888\nbind(s, a, n); listen(s, 128);",
                8888,
            ),
            ("main.c", "addr.sin_port = htons(9090);", 9090),
            ("main.cpp", "svr.listen(\"0.0.0.0\", 8080);", 8080),
            ("main.cpp", "app.port(18080).multithreaded().run();", 18_080),
            ("app.py", "HTTPServer(('', 8000), Handler)", 8000),
            ("app.py", "PORT = 8000\nserve(PORT)", 8000),
            ("app.py", "run(host='localhost', port=8081)", 8081),
            ("app.py", "app.listen(8888)", 8888),
            ("app.rb", "set :port, 4568\nlisten", 4568),
        ] {
            assert_eq!(of(path, text), Some(port), "{text}");
        }
    }

    #[test]
    fn a_port_of_something_else_is_none() {
        let page = "app.use(cors({ origin: 'http://localhost:5173' }));";
        assert_eq!(of("app.js", page), None);
        assert_eq!(of("app.js", &format!("{page} app.listen(3000);")), Some(3000));
        let database = "const db = connect('localhost:5432'); const port = 4000; listen(port)";
        assert_eq!(of("app.js", database), Some(4000));
        for none in [
            "connect('localhost:6379')",
            "listen(path)",
            "listen(70000)",
            "listen(path, { level: 9, port: 22 })",
            "const SMTP_PORT = 1025; listen(path)",
            "import = 3000; listen(path)",
        ] {
            assert_eq!(of("app.js", none), None, "{none}");
        }
        assert_eq!(of("app.py", "s.bind((\"0.0.0.0\", 8080)); s.listen(128)"), Some(8080));
        assert_eq!(of("app.rs", "socket.listen(1024)"), None);
        assert_eq!(of("metrics.py", "sock.connect((\"localhost\", 2003))"), None);
    }

    #[test]
    fn other_files_do_not_hide_the_one_that_listens() {
        let server = ("index.js", "const port = 3000; app.listen(port)");
        for other in [
            ("a.yml", "targets: ['localhost:9090']\nlisten: yes"),
            ("a.config.ts", "server: { port: 5173 }"),
            ("a.js", "createTransport({ host, port: 587 })"),
            ("a.go", "grpc.Dial(\"localhost:50051\")"),
        ] {
            assert_eq!(of_all(&[other, server]), Some(3000), "{}", other.1);
        }
    }
}
