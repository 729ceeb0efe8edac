use super::*;

fn of(path: &str, text: &str) -> Listening {
    look(&Sources(vec![Source::new(path.to_owned(), text.to_owned())]))
}

/// Arguments and environment in one line.
fn told(path: &str, text: &str) -> String {
    let found = of(path, text);
    let env = found.env.iter().map(|(name, value)| format!("{name}={value}"));
    env.chain(found.arguments.iter().cloned()).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_variable_of_the_environment_is_found_in_each_language() {
    for (path, text) in [
        ("main.go", "port := os.Getenv(\"PORT\")"),
        ("main.go", "p, ok := os.LookupEnv( \"PORT\" )"),
        (
            "main.rs",
            "let port = std::env::var(\"PORT\").unwrap_or(\"8080\".into());",
        ),
        ("main.rs", "#[arg(long, env = \"PORT\")]\n port: u16,"),
        ("server.js", "const port = process.env.PORT || 3000;"),
        ("server.ts", "const port = process.env['PORT'] ?? 3000;"),
        ("app.py", "port = int(os.environ.get('PORT', 8000))"),
        ("app.py", "port = os.environ['PORT']"),
        ("app.rb", "port = ENV.fetch('PORT', 4567)"),
        ("Main.java", "var port = System.getenv(\"PORT\");"),
        ("main.c", "const char *port = getenv(\"PORT\");"),
        ("application.properties", "server.port=${PORT:8080}"),
    ] {
        assert_eq!(told(path, text), "PORT={port}", "{text}");
        assert!(of(path, text).certain);
    }
    assert_eq!(
        told("a.js", "process.env.PORT; process.env.HOST"),
        "PORT={port} HOST={address}"
    );
    assert_eq!(
        told("a.go", "os.Getenv(\"LISTEN_ADDR\")"),
        "LISTEN_ADDR={address}:{port}"
    );
    assert_eq!(told("a.js", "process.env.PORTAL"), "PORT={port}");
    assert!(!of("a.js", "process.env.PORTAL").certain);
}

#[test]
fn a_flag_is_found_in_each_language() {
    for (path, text, told_by) in [
        (
            "main.go",
            "addr := flag.String(\"addr\", \":8080\", \"where to listen\")",
            "--addr {address}:{port}",
        ),
        ("main.go", "flag.IntVar(&port, \"port\", 8080, \"\")", "--port {port}"),
        (
            "main.go",
            "cmd.Flags().StringVar(&addr, \"listen\", \"\", \"\")",
            "--listen {address}:{port}",
        ),
        (
            "main.rs",
            "#[arg(long, default_value_t = 8080)]\n    pub port: u16,",
            "--port {port}",
        ),
        (
            "main.rs",
            "#[arg(short, long)] listen_addr: String,",
            "--listen-addr {address}:{port}",
        ),
        ("main.rs", "Some(\"--port\") => port = args.next()", "--port {port}"),
        (
            "app.py",
            "parser.add_argument('--port', type=int)\nparser.add_argument('--host')",
            "--port {port} --host {address}",
        ),
        ("server.js", "program.option('-p, --port <n>')", "--port {port}"),
        (
            "main.c",
            "{\"--address\", \"--port\"}",
            "--port {port} --address {address}",
        ),
        ("main.c", "puts(\"--bind HOST:PORT\")", "--bind {address}:{port}"),
    ] {
        assert_eq!(told(path, text), told_by, "{text}");
        assert!(of(path, text).certain);
    }
    // Another flag, another name in a Go program.
    assert!(!of("main.c", "\"--portable\"").certain);
    assert!(!of("main.go", "x := headers[\"addr\"]").certain);
}

#[test]
fn the_program_itself_is_no_argument() {
    let own = "if (process.argv[1] === fileURLToPath(import.meta.url)) app.listen({ port: 3000 })";
    let found = of("server.js", own);
    assert_eq!(found.port, Some(3000), "{}", found.found);
}

#[test]
fn an_argument_is_a_guess_and_says_so() {
    let found = of("main.py", "port = int(sys.argv[1])");
    assert_eq!(
        (found.arguments.as_slice(), found.certain),
        (["{port}".to_owned()].as_slice(), false)
    );
    assert!(found.found.contains("main.py reads its first argument"));
}

#[test]
fn a_port_that_nobody_can_set_is_taken_as_it_is() {
    let found = of("app.js", "app.listen(3000)");
    assert!(!found.certain);
    assert_eq!(found.port, Some(3000));
    assert_eq!(found.env, [("PORT".to_owned(), "{port}".to_owned())]);
    assert!(
        found.found.contains("app.js always listens on port 3000"),
        "{}",
        found.found
    );
    // One that can be told is told.
    assert_eq!(of("app.js", "app.listen(process.env.PORT || 3000)").port, None);
    assert!(
        of("main.go", "package main")
            .found
            .contains("do not say how it gets its port")
    );
    assert!(look(&Sources(Vec::new())).advice.contains("PORT"));
}

#[test]
fn the_subcommand_that_takes_the_flag_is_in_the_command() {
    let clap = "#[derive(Parser)]\nstruct Cli { #[command(subcommand)] command: Commands }\n#[derive(Subcommand)]\nenum Commands {\n    \
                Serve { #[arg(long, env = \"PORT\")] port: u16 },\n    Load { #[arg(long)] host: String },\n}\n";
    let found = of("main.rs", clap);
    assert_eq!(found.arguments, ["serve"]);
    assert_eq!(found.env, [("PORT".to_owned(), "{port}".to_owned())]);
    assert!(found.certain && found.found.contains("`serve`"), "{}", found.found);
    // The address is another subcommand's.
    assert_eq!(
        told("main.rs", &clap.replace(", env = \"PORT\"", "")),
        "serve --port {port}"
    );
    let unclear = "var rootCmd = &cobra.Command{\n\tUse: \"app\",\n}\n\nfunc init() {\n\trootCmd.AddCommand(serveCmd)\n\t\
                   rootCmd.PersistentFlags().Int(\"port\", 8080, \"\")\n}\n";
    let found = of("main.go", unclear);
    assert!(!found.certain && found.arguments == ["--port", "{port}"]);
    assert!(found.advice.contains("before its flags"), "{}", found.advice);
}
