//! Node.js, Bun and Deno.

use super::*;

#[test]
fn a_package_for_node() {
    let server = "http.createServer().listen(process.env.PORT)";
    let (manifest, checks) = written(&[
        (
            "package.json",
            r#"{"name": "web", "scripts": {"start": "node --no-warnings ./server.js --quiet"}}"#,
        ),
        ("server.js", server),
    ]);
    assert!(manifest.build.steps.is_empty() && checks.is_empty(), "{checks:?}");
    assert_eq!(
        line(&manifest.run.command),
        "node --no-warnings {server_dir}/server.js --quiet"
    );

    let needs =
        r#"{"name": "web", "main": "dist/index.js", "dependencies": {"fastify": "5"}, "scripts": {"build": "tsc"}}"#;
    let (manifest, checks) = written(&[
        ("package.json", needs),
        ("package-lock.json", "{}"),
        ("src/index.ts", server),
    ]);
    let steps: Vec<String> = manifest.build.steps.iter().map(|step| line(step)).collect();
    assert_eq!(
        steps,
        [
            "cp -R {server_dir}/. {build_dir}",
            "npm --prefix {build_dir} ci --no-audit --no-fund",
            "npm --prefix {build_dir} run build"
        ]
    );
    assert_eq!(line(&manifest.run.command), "node {build_dir}/dist/index.js");
    assert!(checks.is_empty(), "{checks:?}");
}

#[test]
fn what_the_scripts_of_frameworks_run() {
    let of = |package, file| written(&[("package.json", package), ("package-lock.json", "{}"), file]);
    // NestJS: `start` is for development.
    let nest = r#"{"scripts": {"build": "nest build", "start": "nest start", "start:prod": "node dist/main"},
        "dependencies": {"@nestjs/core": "11"}}"#;
    let (manifest, checks) = of(nest, ("src/main.ts", "await app.listen(process.env.PORT ?? 3000);"));
    assert_eq!(line(&manifest.run.command), "node {build_dir}/dist/main");
    assert!(checks.is_empty(), "{checks:?}");

    let next = r#"{"scripts": {"dev": "next dev", "build": "next build", "start": "next start"},
        "dependencies": {"next": "16"}}"#;
    let (manifest, checks) = of(next, ("app/page.tsx", ""));
    assert_eq!(
        line(&manifest.run.command),
        "{build_dir}/node_modules/.bin/next start {build_dir} --hostname {address} --port {port}"
    );
    assert!(checks.is_empty(), "{checks:?}");

    let router = r#"{"scripts": {"build": "react-router build", "dev": "react-router dev",
        "start": "react-router-serve ./build/server/index.js"}, "dependencies": {"@react-router/serve": "7"}}"#;
    let (manifest, checks) = of(router, ("app/root.tsx", ""));
    assert_eq!(
        line(&manifest.run.command[5..]),
        "{build_dir}/node_modules/.bin/react-router-serve ./build/server/index.js"
    );
    assert_eq!(
        (&*manifest.run.env["PORT"], &*manifest.run.env["HOST"]),
        ("{port}", "{address}")
    );
    assert!(checks.is_empty(), "{checks:?}");

    // Hono by `npm create hono`, without its `start`.
    let hono = r#"{"scripts": {"dev": "tsx watch src/index.ts"}, "dependencies": {"hono": "4"},
        "devDependencies": {"tsx": "4"}}"#;
    let (manifest, checks) = of(hono, ("src/index.ts", "serve({ fetch: app.fetch, port: 3000 })"));
    assert_eq!(
        line(&manifest.run.command),
        "{build_dir}/node_modules/.bin/tsx {build_dir}/src/index.ts"
    );
    assert_eq!(
        line(&manifest.build.steps[1]),
        "npm --prefix {build_dir} ci --no-audit --no-fund"
    );
    assert!(checks[0].contains("script `dev`"), "{checks:?}");

    // Express by its generator, and with a step before it.
    let express = r#"{"scripts": {"start": "NODE_ENV=production A=1 node ./bin/www"}}"#;
    let (manifest, checks) = of(express, ("bin/www", "normalizePort(process.env.PORT || '3000')"));
    assert_eq!(line(&manifest.run.command), "node {server_dir}/bin/www");
    assert_eq!((&*manifest.run.env["A"], &*manifest.run.env["PORT"]), ("1", "{port}"));
    assert!(checks.is_empty(), "{checks:?}");
    let migrated = r#"{"scripts": {"start": "migrate && node app.js"}}"#;
    let (manifest, checks) = of(migrated, ("app.js", "app.listen(3000)"));
    assert_eq!(line(&manifest.run.command), "node {server_dir}/app.js");
    assert!(checks[0].contains("migrate && node app.js"), "{checks:?}");

    // What it names is looked for where it is started; and a variable is set once.
    let flagged = r#"{"scripts": {"build": "tsc", "start": "APP_PORT=1 node -r dotenv/config dist/app.js"}}"#;
    let (manifest, _) = of(flagged, ("src/app.ts", "app.listen(process.env.APP_PORT)"));
    let started = "sh -c cd \"$1\" && shift && exec \"$@\" sh {build_dir} node -r dotenv/config dist/app.js";
    assert_eq!(line(&manifest.run.command), started);
    assert_eq!(manifest.run.env["APP_PORT"], "{port}");

    let nuxt = r#"{"scripts": {"build": "nuxt build", "dev": "nuxt dev"}, "dependencies": {"nuxt": "4"}}"#;
    let (manifest, _) = of(nuxt, ("app.vue", ""));
    assert_eq!(line(&manifest.run.command), "node {build_dir}/.output/server/index.mjs");
    assert_eq!(manifest.run.env["HOST"], "{address}");
}

#[test]
fn a_script_may_have_the_subcommand_that_takes_the_flag() {
    let cli = "program.command('serve').option('--port <n>').action(run)";
    for script in ["node cli.js", "node cli.js serve"] {
        let package = format!(r#"{{"scripts": {{"start": "{script}"}}}}"#);
        let (manifest, _) = written(&[("package.json", &package), ("cli.js", cli)]);
        assert_eq!(
            line(&manifest.run.command),
            "node {server_dir}/cli.js serve --port {port}"
        );
    }
}

#[test]
fn what_a_start_script_builds_before_it_serves() {
    let of = |package, file| written(&[("package.json", package), ("package-lock.json", "{}"), file]);
    let steps =
        |manifest: &Manifest| -> Vec<String> { manifest.build.steps[2..].iter().map(|step| line(step)).collect() };
    // By `npm create fastify`, in TypeScript and in JavaScript.
    let typed = r#"{"main": "app.ts", "scripts": {"build:ts": "tsc", "dev": "npm run build:ts && concurrently x",
        "start": "npm run build:ts && fastify start -l info dist/app.js"}, "dependencies": {"fastify-cli": "7"}}"#;
    let (manifest, checks) = of(typed, ("src/app.ts", "export default app"));
    assert_eq!(steps(&manifest), ["npm --prefix {build_dir} run build:ts"]);
    assert_eq!(
        line(&manifest.run.command),
        "{build_dir}/node_modules/.bin/fastify start -l info {build_dir}/dist/app.js --address {address} --port {port}"
    );
    assert!(checks.is_empty(), "{checks:?}");
    let plain = r#"{"main": "app.js", "scripts": {"dev": "fastify start -w -l info -P app.js",
        "start": "fastify start -l info app.js"}, "dependencies": {"fastify-cli": "7"}}"#;
    let (manifest, checks) = of(plain, ("app.js", "module.exports = async () => {}"));
    assert!(steps(&manifest).is_empty() && checks.is_empty(), "{checks:?}");
    assert!(line(&manifest.run.command).contains("start -l info {build_dir}/app.js --address"));

    let built = r#"{"scripts": {"start": "rimraf dist && tsc -p . && node dist/server.js"},
        "devDependencies": {"typescript": "5"}}"#;
    let (manifest, checks) = of(built, ("src/server.ts", "app.listen(process.env.PORT)"));
    let tsc = "sh -c cd \"$1\" && shift && exec \"$@\" sh {build_dir} {build_dir}/node_modules/.bin/tsc -p .";
    assert_eq!(steps(&manifest), [tsc]);
    assert_eq!(
        line(&manifest.build.steps[1]),
        "npm --prefix {build_dir} ci --no-audit --no-fund"
    );
    assert_eq!(line(&manifest.run.command), "node {build_dir}/dist/server.js");
    assert!(checks.is_empty(), "{checks:?}");

    let before = r#"{"scripts": {"prestart": "npm run compile", "compile": "tsc", "start": "node dist/a.js"}}"#;
    let (manifest, _) = of(before, ("src/a.ts", "app.listen(process.env.PORT)"));
    assert_eq!(steps(&manifest), ["npm --prefix {build_dir} run compile"]);
    let migrated = r#"{"scripts": {"up": "migrate", "start": "npm run up && fastify start a.js -l info --port=3000"}}"#;
    let (manifest, checks) = of(migrated, ("a.js", "module.exports = async () => {}"));
    assert!(line(&manifest.run.command).contains("start -l info {build_dir}/a.js --address {address}"));
    assert!(checks[0].contains("the script `up`"), "{checks:?}");
    let (manifest, checks) = of(
        r#"{"scripts": {"start": "turbo start"}}"#,
        ("src/a.ts", "app.listen(process.env.PORT)"),
    );
    assert!(manifest.build.steps.is_empty());
    assert!(checks.len() == 1 && checks[0].contains("turbo start"), "{checks:?}");
}

#[test]
fn the_manager_that_a_package_wants() {
    let of = |package, lock: &str| {
        written(&[
            ("package.json", package),
            (lock, "{}"),
            ("a.js", "listen(process.env.PORT)"),
        ])
    };
    let wants = r#"{"scripts": {"build": "tsc", "start": "node a.js"}, "dependencies": {"x": "1"},
        "devEngines": {"packageManager": {"name": "pnpm", "onFail": "download"}}}"#;
    let (manifest, checks) = of(wants, "pnpm-lock.yaml");
    let steps: Vec<String> = manifest.build.steps[1..].iter().map(|step| line(step)).collect();
    let install = "pnpm --dir {build_dir} install --frozen-lockfile";
    assert_eq!(steps, [install, "pnpm --dir {build_dir} run build"]);
    assert!(checks.is_empty(), "{checks:?}");
    // apt would bring npm only.
    assert!(manifest.requires.debian.is_empty());
    assert_eq!(manifest.requires.homebrew, ["node", "pnpm"]);
    let (manifest, checks) = of(wants, "other.json");
    assert_eq!(line(&manifest.build.steps[1]), "pnpm --dir {build_dir} install");
    assert!(checks[0].contains("pnpm-lock.yaml"), "{checks:?}");
    let yarn = r#"{"scripts": {"start": "node a.js"}, "dependencies": {"x": "1"}, "packageManager": "yarn@4.9.1"}"#;
    let (manifest, _) = of(yarn, "yarn.lock");
    assert_eq!(
        line(&manifest.build.steps[1]),
        "yarn --cwd {build_dir} install --frozen-lockfile"
    );
}

#[test]
fn a_package_for_bun() {
    let server = "Bun.serve({ port: process.env.PORT ?? 3000, fetch })";
    let package = r#"{"name": "web", "module": "index.ts", "dependencies": {"elysia": "1"}}"#;
    let (manifest, checks) = written(&[("package.json", package), ("bun.lock", "{}"), ("index.ts", server)]);
    let steps: Vec<String> = manifest.build.steps.iter().map(|step| line(step)).collect();
    assert_eq!(
        steps,
        [
            "cp -R {server_dir}/. {build_dir}",
            "bun install --cwd {build_dir} --frozen-lockfile --production",
        ]
    );
    assert_eq!(line(&manifest.run.command), "bun {build_dir}/index.ts");
    assert_eq!(manifest.requires.commands, ["bun"]);
    assert!(checks.is_empty(), "{checks:?}");

    let script = |start: &str| {
        let package = format!(r#"{{"name": "web", "scripts": {{"start": "{start}"}}}}"#);
        let (manifest, checks) = written(&[("package.json", &package), ("index.ts", server)]);
        (line(&manifest.run.command), checks.len())
    };
    assert_eq!(
        script("bun run --smol index.ts"),
        ("bun --smol {server_dir}/index.ts".to_owned(), 0)
    );
    // As `bun init` has it, before anything is installed.
    let typed = r#"{"module": "index.ts", "devDependencies": {"@types/bun": "latest"}}"#;
    let (manifest, _) = written(&[("package.json", typed), ("index.ts", server)]);
    assert_eq!(line(&manifest.run.command), "bun {server_dir}/index.ts");
    // Another script, which nobody here reads.
    assert_eq!(script("bun dev").1, 2);
    // As `npm create hono` has it.
    let hono = r#"{"scripts": {"dev": "bun run --hot src/index.ts"}, "dependencies": {"hono": "4"}}"#;
    let files = [
        ("package.json", hono),
        ("bun.lock", "{}"),
        ("src/index.ts", "export default app"),
    ];
    let (manifest, checks) = written(&files);
    assert_eq!(line(&manifest.run.command), "bun {build_dir}/src/index.ts");
    assert!(checks.len() == 1 && checks[0].contains("script `dev`"), "{checks:?}");
}

#[test]
fn a_program_for_deno() {
    let server = "Deno.serve({ port: 8000 }, () => new Response('Hello'));";
    let (manifest, checks) = written(&[("main.ts", server)]);
    assert_eq!(line(&manifest.run.command), "deno run --allow-all {server_dir}/main.ts");
    assert_eq!(manifest.run.env["DENO_SERVE_ADDRESS"], "tcp:{address}:{port}");
    assert!(checks.is_empty(), "{checks:?}");

    let task = |start: &str| {
        let settings = format!(r#"{{"tasks": {{"start": "{start}"}}}}"#);
        let (manifest, checks) = written(&[("deno.json", &settings), ("main.ts", server)]);
        (line(&manifest.run.command), checks.len())
    };
    assert_eq!(
        task("deno run --allow-net ./main.ts"),
        ("deno run --allow-net {server_dir}/main.ts".to_owned(), 0)
    );
    assert_eq!(
        task("deno serve --parallel main.ts"),
        ("deno serve --parallel --allow-net {server_dir}/main.ts".to_owned(), 0)
    );
    assert_eq!(task("deno task build && deno run main.ts").1, 1);
    let settings = r#"{"tasks": {"dev": "deno serve --watch -R main.ts"}}"#;
    let (manifest, _) = written(&[("deno.json", settings), ("main.ts", "export default {}")]);
    assert_eq!(
        line(&manifest.run.command),
        "deno serve -R --allow-net {server_dir}/main.ts"
    );

    let other = "import http from 'node:http'; http.createServer().listen(Deno.env.get('PORT'));";
    let (manifest, _) = written(&[("deno.json", "{}"), ("main.ts", other)]);
    assert!(!manifest.run.env.contains_key("DENO_SERVE_ADDRESS"));
    assert_eq!(manifest.run.env["PORT"], "{port}");
}
