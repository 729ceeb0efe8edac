use super::*;

fn of(path: &str, text: &str, flag: &str) -> (String, bool) {
    let sources = Sources(vec![Source::new(path.to_owned(), text.to_owned())]);
    let found = of_flag(&sources, path, flag);
    (found.words.join(" "), found.certain)
}

fn sure(words: &str) -> (String, bool) {
    (words.to_owned(), true)
}

fn unclear(words: &str) -> (String, bool) {
    (words.to_owned(), false)
}

const CLI: &str = "#[derive(Parser)]\nstruct Cli {\n    #[command(subcommand)]\n    command: Commands,\n}\n";

#[test]
fn clap_has_it_in_a_variant_or_in_its_type() {
    let inline = "#[derive(Subcommand)]\nenum Commands {\n    /// Serves\n    Serve {\n        #[arg(long)]\n        /// Where\n        \
                  port: u16,\n    },\n    /// Other\n    Migrate,\n}\n";
    assert_eq!(of("main.rs", &format!("{CLI}{inline}"), "port"), sure("serve"));
    let typed = "#[derive(Subcommand)]\npub(crate) enum Commands {\n    HttpServer(Box<args::ServeArgs>),\n    Migrate,\n}\n\
                 #[derive(Args)]\npub(crate) struct ServeArgs {\n    #[command(flatten)]\n    pub net: NetArgs,\n}\n\
                 #[derive(Args)]\nstruct NetArgs {\n    #[arg(long)]\n    pub port: u16,\n}\nfn run(a: NetArgs) {}\n";
    assert_eq!(of("main.rs", &format!("{CLI}{typed}"), "port"), sure("http-server"));
    let named = typed.replace(
        "    HttpServer",
        "    #[command(name = \"up\", about = \"x\")]\n    HttpServer",
    );
    assert_eq!(of("main.rs", &format!("{CLI}{named}"), "port"), sure("up"));
    let whole = "#[derive(Parser)]\nenum Cli { Serve { #[arg(long)] port: u16 }, Migrate }\n";
    assert_eq!(of("main.rs", whole, "port"), sure("serve"));
    let below = "enum Commands { Server(Server) }\nstruct Server { #[command(subcommand)] what: What }\n\
                 enum What { Start { #[arg(long)] port: u16 }, Stop }\n";
    assert_eq!(of("main.rs", &format!("{CLI}{below}"), "port"), sure("server start"));
}

#[test]
fn clap_may_have_it_in_the_program() {
    let alone = "#[derive(Parser)]\nstruct Cli {\n    #[arg(long)]\n    port: u16,\n}\n";
    assert_eq!(of("main.rs", alone, "port"), sure(""));
    assert_eq!(of("main.rs", &alone.replace("Cli", "Cli<'a>"), "port"), sure(""));
    // Nothing says which of them serves.
    let with = alone.replace(
        '}',
        "    #[command(subcommand)]\n    command: Commands,\n}\nenum Commands { A, B }\n",
    );
    assert_eq!(of("main.rs", &with, "port"), unclear(""));
    let optional = with.replace(": Commands", ": Option<Commands>");
    assert_eq!(of("main.rs", &optional, "port"), sure(""));
    // Only what a subcommand has wants one more.
    let deeper = format!("{optional}struct Db {{ #[command(subcommand)] what: What }}\n").replace("A,", "A(Db),");
    assert_eq!(of("main.rs", &deeper, "port"), sure(""));
}

#[test]
fn a_command_that_a_variable_holds_is_its_own() {
    let cobra = "package main\n\nfunc main() {\n\troot := &cobra.Command{\n\t\tUse: \"app\",\n\t}\n\
                 \troot.PersistentFlags().Int(\"port\", 8080, \"port\")\n\tserve := &cobra.Command{\n\t\tUse: \"serve\",\n\
                 \t\tRun: run,\n\t}\n\troot.AddCommand(serve)\n}\n";
    assert!(!of("main.go", cobra, "port").1);
    let commander = "const serve = program.command('serve <dir>');\nserve.option('--port <n>', 'port');\n";
    assert_eq!(of("cli.js", commander, "port"), sure("serve"));
    let unknown = commander.replace("program.command('serve <dir>')", "make()");
    assert!(!of("cli.js", &unknown, "port").1);
    let own = "const cli = new Command();\ncli.option('--port <n>', 'port');\n";
    assert_eq!(of("cli.js", own, "port"), sure(""));
}

#[test]
fn several_of_clap_are_a_guess() {
    let two = "enum Commands {\n    Client { #[arg(long)] port: u16 },\n    Serve { #[arg(long)] port: u16 },\n}\n";
    assert_eq!(of("main.rs", &format!("{CLI}{two}"), "port"), unclear("serve"));
    let renamed = "#[command(rename_all = \"snake_case\")]\nenum Commands { RunIt { #[arg(long)] port: u16 } }\n";
    assert_eq!(of("main.rs", &format!("{CLI}{renamed}"), "port"), unclear(""));
}

#[test]
fn argparse() {
    let text = "parser = argparse.ArgumentParser()\nparser.add_argument('--verbose')\nsub = parser.add_subparsers(dest='cmd')\n\
                serve = sub.add_parser(\n    'serve', help='x')\nserve.add_argument('-p', '--port', type=int)\n\
                net = serve.add_argument_group('net')\nnet.add_argument('--host')\n";
    assert_eq!(of("app.py", text, "port"), sure("serve"));
    assert_eq!(of("app.py", text, "host"), sure("serve"));
    assert_eq!(of("app.py", text, "verbose"), sure(""));
    let attribute = text.replace("serve", "self.serve").replace("'self.serve'", "'up'");
    assert_eq!(of("app.py", &attribute, "port"), sure("up"));
    let required = text.replace("dest='cmd'", "dest='cmd', required=True");
    assert_eq!(of("app.py", &required, "verbose"), unclear(""));
    let passed = "sub = p.add_subparsers()\ndef add(parser):\n    parser.add_argument('--port')\n";
    assert_eq!(of("app.py", passed, "port"), unclear(""));
    assert_eq!(of("app.py", "p = x()\np.add_argument('--port')\n", "port"), sure(""));
}

#[test]
fn click() {
    let text = "m.group(1)\n@click.group()\ndef cli():\n    pass\n\n@cli.command()\n@click.option(\n    '--port', default=8000,\n)\n\
                @click.option('--host')\ndef serve_it(port, host):\n    pass\n";
    assert_eq!(of("app.py", text, "port"), sure("serve-it"));
    assert_eq!(
        of("app.py", &text.replace("command()", "command('up')"), "host"),
        sure("up")
    );
    assert_eq!(
        of("app.py", &text.replace("serve_it", "serve_cmd"), "port"),
        unclear("")
    );
    let alone = "m.group(1)\n@click.command()\n@click.option('--port')\ndef main(port):\n    pass\n";
    assert_eq!(of("app.py", alone, "port"), sure(""));
}

#[test]
fn cobra() {
    let text = "var rootCmd = &cobra.Command{\n\tUse: \"app\",\n}\n\nvar serveCmd = &cobra.Command{\n\tUse:   \"serve [flags]\",\n\t\
                Run: serve,\n}\n\nfunc init() {\n\trootCmd.AddCommand(serveCmd, otherCmd)\n\t\
                serveCmd.Flags().IntVarP(&port, \"port\", \"p\", 8080, \"\")\n\trootCmd.PersistentFlags().String(\"host\", \"\", \"\")\n}\n";
    assert_eq!(of("main.go", text, "port"), sure("serve"));
    assert_eq!(of("main.go", text, "host"), unclear(""));
    let below = text.replace(
        "AddCommand(serveCmd, otherCmd)",
        "AddCommand(otherCmd)\n\totherCmd.AddCommand(serveCmd)",
    );
    assert_eq!(of("main.go", &below, "port"), unclear(""));
    let made = "package main\n\nfunc main() {\n\troot := &cobra.Command{Use: \"app\"}\n\troot.AddCommand(newServe(log))\n}\n\n\
                func newServe(log Log) *cobra.Command {\n\tcmd := &cobra.Command{\n\t\tUse: \"serve\",\n\t}\n\t\
                cmd.Flags().Int(\"port\", 8080, \"\")\n\treturn cmd\n}\n";
    assert_eq!(of("main.go", made, "port"), sure("serve"));
    let alone = "var rootCmd = &cobra.Command{\n\tUse: \"app\",\n\tRun: serve,\n}\n\nfunc init() {\n\t\
                 rootCmd.Flags().Int(\"port\", 80, \"\")\n\trootCmd.AddCommand(versionCmd)\n}\n";
    assert_eq!(of("main.go", alone, "port"), sure(""));
}

#[test]
fn commander() {
    let text = "program.command('serve <dir>')\n  .option('-p, --port <n>', 'port', '3000')\n  .action(run)\n\
                program.option('--host <h>')\n";
    assert_eq!(of("cli.js", text, "port"), sure("serve"));
    assert_eq!(of("cli.js", text, "host"), sure(""));
    let default = text.replace("<dir>'", "<dir>', { isDefault: true }");
    assert_eq!(of("cli.js", &default, "port"), sure(""));
}
