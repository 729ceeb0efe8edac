//! The port at which a program always listens, as its sources have it: a number behind a call or a name that says so.

use super::sources::{Source, Sources};

/// Where other services listen (databases, caches, queues): a server's sources name their ports too.
const OF_OTHERS: [u16; 13] = [
    1433, 1521, 2181, 2379, 3306, 4222, 5432, 5672, 6379, 9042, 9092, 11_211, 27_017,
];
/// Below it are the ports of other protocols.
const LEAST: u16 = 80;

/// What stands before the number, in squeezed text; whether a quote ends it; surest first.
const BEFORE: [(&[&str], bool); 3] = [
    (
        &[
            "listen(",
            "listen({port:",
            "listen(\"127.0.0.1\",",
            "listen(\"0.0.0.0\",",
            "listen(\"localhost\",",
            "bind((\"127.0.0.1\",",
            "bind((\"0.0.0.0\",",
            "bind((\"localhost\",",
            "bind(",
            "run(([127,0,0,1],",
            "run(([0,0,0,0],",
            "from(([127,0,0,1],",
            "from(([0,0,0,0],",
            "InetSocketAddress(",
            "htons(",
            // http.server and socketserver of Python.
            "((\"\",",
            "=(\"\",",
            "((\"127.0.0.1\",",
            "((\"0.0.0.0\",",
            "((\"localhost\",",
            "TCPServer.new(",
            // Javalin.
            ").start(",
            // Sinatra.
            "set:port,",
        ],
        false,
    ),
    (&["\":", "\"0.0.0.0:", "\"127.0.0.1:", "\"localhost:", "\"[::]:"], true),
    (
        &[
            "port=",
            "PORT=",
            "port:",
            "PORT:u16=",
            "port:u16=",
            "definePORT",
            "Port=",
        ],
        false,
    ),
];

/// With the file that says it.
pub fn look(sources: &Sources) -> Option<(u16, &str)> {
    BEFORE.iter().find_map(|(words, quoted)| {
        let of = |source: &Source| {
            // Go and C# begin it with a capital.
            let text = source.squeezed.replace("Listen(", "listen(");
            words.iter().find_map(|word| behind(&text, word, *quoted))
        };
        sources
            .0
            .iter()
            .find_map(|source| Some((of(source)?, source.path.as_str())))
    })
}

/// The first port behind the word.
fn behind(text: &str, word: &str, quoted: bool) -> Option<u16> {
    let mut rests = text.match_indices(word).map(|(at, found)| &text[at + found.len()..]);
    rests.find_map(|rest| {
        let end = rest
            .find(|c: char| !c.is_ascii_digit() && c != '_')
            .unwrap_or(rest.len());
        let port: u16 = rest[..end].replace('_', "").parse().ok()?;
        let ends = !quoted || rest[end..].starts_with('"');
        (ends && port >= LEAST && !OF_OTHERS.contains(&port)).then_some(port)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, text: &str) -> Option<u16> {
        let sources = Sources(vec![Source::new(path.to_owned(), text.to_owned())]);
        look(&sources).map(|(port, _)| port)
    }

    #[test]
    fn a_port_is_found_as_the_first_pages_of_frameworks_write_it() {
        for (path, text, port) in [
            ("main.go", "http.ListenAndServe(\":8080\", nil)", 8080),
            ("main.go", "e.Logger.Fatal(e.Start(\":1323\"))", 1323),
            ("main.go", "app.Listen(\":3000\")", 3000),
            ("app.js", "app.listen(3000)", 3000),
            ("app.js", "const port = 3000\napp.listen(port, () => {})", 3000),
            ("app.js", "await fastify.listen({ port: 3001 })", 3001),
            ("app.ts", "Deno.serve({ port: 8000 }, handler)", 8000),
            ("main.rs", "TcpListener::bind(\"127.0.0.1:7878\")", 7878),
            ("main.rs", ".bind((\"127.0.0.1\", 8080))?", 8080),
            ("main.rs", "warp::serve(hello).run(([127, 0, 0, 1], 3030))", 3030),
            ("main.rs", "SocketAddr::from(([0, 0, 0, 0], 3000))", 3000),
            ("main.rs", "const PORT: u16 = 4_000;", 4000),
            ("Main.java", "HttpServer.create(new InetSocketAddress(8000), 0)", 8000),
            ("Main.java", "Javalin.create().get(\"/\", ctx -> {}).start(7070)", 7070),
            ("main.c", "#define PORT 8888", 8888),
            ("main.c", "addr.sin_port = htons(9090);", 9090),
            ("main.cpp", "svr.listen(\"0.0.0.0\", 8080);", 8080),
            ("app.py", "HTTPServer(('', 8000), Handler)", 8000),
            ("app.py", "PORT = 8000", 8000),
            ("app.py", "run(host='localhost', port=8081)", 8081),
            ("app.rb", "set :port, 4568", 4568),
        ] {
            assert_eq!(of(path, text).unwrap_or(0), port, "{text}");
        }
    }

    #[test]
    fn a_port_of_something_else_is_none() {
        let page = "app.use(cors({ origin: 'http://localhost:5173' }));";
        assert_eq!(of("app.js", page), None);
        assert_eq!(of("app.js", &format!("{page} app.listen(3000);")), Some(3000));
        let database = "const db = connect('localhost:5432'); const port = 4000;";
        assert_eq!(of("app.js", database), Some(4000));
        for none in [
            "connect('localhost:6379')",
            "listen(path)",
            "listen(70000)",
            "level: 9, port: 22",
        ] {
            assert_eq!(of("app.js", none), None, "{none}");
        }
    }
}
