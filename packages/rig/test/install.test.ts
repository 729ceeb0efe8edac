import { execFile } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { env } from "../src/env";
import { root } from "../src/paths";
import { tarGz } from "../src/release/tar";
import { archives, fixture, k6, linux, read, run, stubs, target, tree } from "./install/fixture";

const f = fixture();
const agent = `rigmark-0.1.0-${target}.tar.gz`;
const generator = `k6-1.0.0-${k6}.tar.gz`;
const installed = (): boolean => existsSync(join(f.prefix, "bin/rigmark"));

/** Stands for the network: says what it was asked for, and gets nothing. */
const offline = (more: Record<string, string> = {}): { PATH: string; calls: () => string } => {
  const calls = join(f.dir, "calls");
  stubs(join(f.dir, "stub"), { curl: `echo "$@" >>"${calls}"; exit 6`, ...more });
  return { PATH: `${f.dir}/stub:/usr/bin:/bin`, calls: () => read(calls) };
};

test.runIf(linux)("installs, enrolls once, and changes nothing the second time", async () => {
  const first = await f.install(["--key", "fresh", "--name", "pi"]);
  expect(first.code, first.said).toBe(0);
  expect(installed() && existsSync(join(f.prefix, "lib/rigmark/current/lib/rigmark/k6"))).toBe(true);
  expect(readFileSync(`${f.state}.calls`, "utf8")).toMatch(/^enroll --url http:\S+ --name pi key=fresh\n$/);
  f.asked.length = 0;
  const second = await f.install(["--key", "used"]);
  expect(second.code, second.said).toBe(0);
  expect(second.said).toContain(`enrolled already at ${f.url()}; its enrollment is kept`);
  expect(f.asked).toEqual(["SHA256SUMS"]);
});

test.runIf(linux)("the commands that it prints work in a folder with any name", async () => {
  const prefix = join(f.dir, "ada's prefix");
  const done = await f.install(["--key", "fresh", "--prefix", prefix]);
  expect(done.code, done.said).toBe(0);
  const quoted = `'${f.dir}/ada'\\''s prefix/bin/rigmark'`;
  expect(done.said).toContain(`To start the agent: RIGMARK_STATE=${f.state} ${quoted} agent\n`);
  expect(done.said).toContain(`how to fix the rest: ${quoted} doctor\n`);
});

test.runIf(linux)("the key of the environment reaches the agent, and no command line", async () => {
  const shown = join(f.dir, "shown");
  const done = await f.install([], { RIGMARK_ENROLL_KEY: "seldom-3141", SHOWN: shown });
  expect(done.code, done.said).toBe(0);
  expect(read(`${f.state}.calls`)).toContain("key=seldom-3141");
  expect(read(shown)).toContain("enroll --url");
  expect(read(shown)).not.toContain("seldom-3141");
});

test.runIf(linux)("--key-file reads a file, and standard input where that is not the script", async () => {
  const file = join(f.dir, "key");
  writeFileSync(file, "from-a-file\n");
  await f.install(["--key-file", file]);
  expect(read(`${f.state}.calls`)).toContain("key=from-a-file\n");
  const script = f.script();
  const options = `--no-service --yes --replace --prefix ${f.prefix} --state-dir ${f.state} --key-file -`;
  const typed = await run("sh", ["-c", `echo typed | sh ${script} ${options}`]);
  expect(typed.code, typed.said).toBe(0);
  expect(read(`${f.state}.calls`)).toContain("key=typed\n");
  const piped = await run("sh", ["-c", `sh -s -- ${options} <${script}`]);
  expect(piped.code).toBe(2);
  expect(piped.said).toContain("which is the script here");
  const none = await f.install(["--key-file", join(f.dir, "nothing")]);
  expect([none.code, none.said]).toEqual([2, expect.stringContaining("there is no key in")]);
});

test.runIf(linux)("a used key: installed, not enrolled, exit 1, and the agent's own sentence", async () => {
  const done = await f.install(["--key", "used"]);
  expect(done.code).toBe(1);
  expect(done.said).toContain("This key was used before.");
  expect(installed()).toBe(true);
});

test.runIf(linux)("an app without agents says how it gets them", async () => {
  delete f.served.SHA256SUMS;
  const done = await f.install(["--key", "fresh"]);
  expect(done.code).toBe(1);
  expect(done.said).toContain("SHA256SUMS is not there: the app has no agents to hand out yet.");
  expect(done.said).toContain("run ./rig release");
});

test.runIf(linux)("a changed archive is refused and nothing is installed", async () => {
  f.served[generator] = Buffer.concat([f.served[generator] ?? Buffer.alloc(0), Buffer.from("x")]);
  const done = await f.install([]);
  expect(done.code).toBe(1);
  expect(done.said).toContain("is not what SHA256SUMS says");
  expect(existsSync(f.prefix)).toBe(false);
});

test.runIf(linux)("a download that is cut off is one sentence, and nothing is installed", async () => {
  f.cut.add(agent);
  const done = await f.install(["--key", "fresh"]);
  expect(done.code).toBe(1);
  expect(done.said).toMatch(/^install\.sh: \S+tar\.gz could not be downloaded \(.*\)\. Is the app running/);
  expect(existsSync(f.prefix)).toBe(false);
});

test.runIf(linux)("a program that does not start here replaces nothing", async () => {
  await f.install(["--key", "fresh"]);
  const before = tree(f.prefix);
  f.served = archives(target, k6, "#!/no/such/loader\n");
  f.list();
  const done = await f.install([]);
  expect(done.code).toBe(1);
  expect(done.said).toMatch(/does not start on this machine \(.*\); nothing was changed/);
  expect(tree(f.prefix)).toEqual(before);
  expect(read(join(f.prefix, "bin/rigmark"))).toContain("when-idle");
});

test.runIf(linux)("without a service the release before stays until the next update", async () => {
  const update = async (version: string): Promise<string> => {
    f.served = archives(target, k6, `#!/bin/sh\necho ${version}\n`);
    f.list();
    const done = await f.install([]);
    expect(done.code, done.said).toBe(0);
    return realpathSync(join(f.prefix, "bin/rigmark"));
  };
  const first = await update("0.1.0");
  const second = await update("0.2.0");
  expect([read(first), read(second)]).toEqual(["#!/bin/sh\necho 0.1.0\n", "#!/bin/sh\necho 0.2.0\n"]);
  const third = await update("0.3.0");
  expect([first, second, third].map((path) => existsSync(path))).toEqual([false, true, true]);
  // The same once more, as of a release that was damaged: never written into, but made anew.
  rmSync(join(f.prefix, "share/rigmark/installed"));
  const again = await update("0.3.0");
  expect(again).not.toBe(third);
  expect(existsSync(third)).toBe(true);
});

test.runIf(linux)("prebuilt servers come with the agent, unless they are not wanted", async () => {
  const name = `servers-0.1.0-${target.replace("musl", "gnu")}`;
  const path = `${name}/share/rigmark/prebuilt/epoll/epoll`;
  f.served[`${name}.tar.gz`] = tarGz([{ path, mode: 0o755, data: Buffer.from("x") }]);
  f.list();
  const there = join(f.prefix, "share/rigmark/prebuilt/epoll/epoll");
  const done = await f.install([]);
  expect(done.code, done.said).toBe(0);
  expect(read(there)).toBe("x");
  expect(done.said).not.toContain("build-essential");
  await f.install(["--no-prebuilt"]);
  expect(existsSync(there)).toBe(false);
});

test.runIf(linux)("without any program that can check a hash nothing is installed", async () => {
  const few = join(f.dir, "bin");
  mkdirSync(few);
  for (const name of [
    "sh",
    "uname",
    "id",
    "dirname",
    "mktemp",
    "rm",
    "curl",
    "grep",
    "awk",
    "cut",
    "tail",
    "tar",
    "sed",
    "cmp",
  ]) {
    symlinkSync(`/usr/bin/${name}`, join(few, name));
  }
  const done = await f.install([], { PATH: few });
  expect(done.code).toBe(1);
  expect(done.said).toContain("cannot be checked; nothing was installed");
  expect(existsSync(f.prefix)).toBe(false);
});

test.runIf(linux)("--dry-run changes nothing; --uninstall --purge leaves nothing", async () => {
  const dry = await f.install(["--dry-run", "--key", "fresh"]);
  expect(dry.code, dry.said).toBe(0);
  expect(existsSync(f.prefix) || existsSync(f.state)).toBe(false);
  await f.install(["--key", "fresh"]);
  expect(existsSync(join(f.prefix, "share/man/man1/rigmark.1"))).toBe(true);
  rmSync(`${f.state}.calls`);
  const gone = await f.install(["--uninstall", "--purge"]);
  expect(gone.code, gone.said).toBe(0);
  expect(gone.said).toContain("An agent that was started by hand goes on running: stop it first.");
  expect(readdirSync(f.dir)).toEqual(["install.sh"]);
});

/** What a folder holds: a text, or a folder of its own. */
type Tree = { [name: string]: string | Tree };
const write = (at: string, tree: Tree): void => {
  mkdirSync(at, { recursive: true });
  for (const [name, content] of Object.entries(tree)) {
    if (typeof content === "string") writeFileSync(join(at, name), content);
    else write(join(at, name), content);
  }
};
const identity = '{"schema":1,"host_id":"0190"}';

test.runIf(linux).each<[string, Tree]>([
  ["of somebody's", { letters: { "a.txt": "Dear" } }],
  ["with a file only", { "notes.txt": "x" }],
  ["with names that an agent uses, too", { work: { "main.c": "" }, builds: {} }],
  ["that an agent was told to use as well", { "identity.json": identity, spool: {}, letters: {} }],
  ["with another program's identity", { "identity.json": '{"name":"x"}' }],
  ["with nothing but a spool", { spool: {} }],
  ["with nothing but a lock", { "agent.lock": "" }],
  ["with a hidden file", { spool: {}, ".ssh": {} }],
])("--purge keeps a folder %s, and everything else", async (_, tree) => {
  await f.install([]);
  write(f.state, tree);
  const before = readdirSync(f.state, { recursive: true });
  const done = await f.install(["--uninstall", "--purge"]);
  expect(done.code, done.said).toBe(2);
  expect(done.said).toContain(`${f.state} is not the state of a Rigmark agent`);
  expect(readdirSync(f.state, { recursive: true })).toEqual(before);
  expect(installed()).toBe(true);
});

test.runIf(linux).each<[string, Tree]>([
  ["that the agent marked", { "rigmark.state": "", work: {} }],
  [
    "of an agent before the mark",
    { "identity.json": identity, "agent.lock": "", spool: {}, refused: {}, builds: {} },
  ],
  ["that is empty", {}],
])("--purge deletes a state %s", async (_, tree) => {
  write(f.state, tree);
  const done = await f.install(["--uninstall", "--purge"]);
  expect(done.code, done.said).toBe(0);
  expect(existsSync(f.state)).toBe(false);
});

test.runIf(linux).each([
  "http://192.0.2.1:3000",
  "http://rigmark.example",
  // They only look like this machine.
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "http://localhost:80@rigmark.example",
  "http://[::1]@rigmark.example",
  "http://[::1].example.com",
])("%s is plain HTTP to another machine: nothing is downloaded", async (url) => {
  const { PATH, calls } = offline();
  const done = await f.install(["--url", url], { PATH });
  expect(done.code, done.said).toBe(2);
  expect(done.said).toMatch(/--allow-http|has a name or a password in it/);
  expect(calls()).toBe("");
});

test.runIf(linux).each([
  { args: ["--url", "http://192.0.2.1:3000", "--allow-http"], tls: false },
  { args: ["--url", "http://localhost:3000"], tls: false },
  { args: ["--url", "http://127.0.0.1"], tls: false },
  { args: ["--url", "http://[::1]:3000/"], tls: false },
  { args: ["--url", "https://rigmark.example"], tls: true },
])("$args.1: what is asked for over TLS is taken over nothing else", async ({ args, tls }) => {
  const { PATH, calls } = offline();
  const done = await f.install(args, { PATH });
  expect(done.code, done.said).toBe(1);
  expect(calls()).toContain(`${args[1]?.replace(/\/$/, "")}/dl/SHA256SUMS`);
  expect(calls().startsWith("--proto =https ")).toBe(tls);
});

const system = (name: string, machine: string, bits = "64"): Record<string, string> => ({
  uname: `case $1 in -s) echo ${name} ;; *) echo ${machine} ;; esac`,
  getconf: `echo ${bits}`,
  sysctl: "exit 1",
});

test.runIf(linux).each([
  { on: ["Linux", "aarch64"], target: "aarch64-unknown-linux-musl", k6: "linux-arm64" },
  { on: ["Linux", "x86_64"], target: "x86_64-unknown-linux-musl", k6: "linux-amd64" },
  { on: ["Linux", "armv7l", "32"], target: "armv7-unknown-linux-gnueabihf", k6: "linux-arm" },
  { on: ["Linux", "aarch64", "32"], target: "armv7-unknown-linux-gnueabihf", k6: "linux-arm" },
  { on: ["Darwin", "arm64"], target: "aarch64-apple-darwin", k6: "macos-arm64" },
  { on: ["Darwin", "x86_64"], target: "x86_64-apple-darwin", k6: "macos-amd64" },
] as const)("on $on it takes the agent for $target", async ({ on: [name, machine, bits], target, k6 }) => {
  const servers = `servers-0.1.0-${target.replace("musl", "gnu")}.tar.gz`;
  f.served = {
    ...archives("aarch64-unknown-linux-musl", "linux-arm64"),
    ...archives(target, k6),
    [servers]: Buffer.from(""),
  };
  f.list();
  stubs(join(f.dir, "stub"), system(name, machine, bits));
  const done = await f.install(["--dry-run"], { PATH: `${f.dir}/stub:${env.PATH}` });
  expect(done.code, done.said).toBe(0);
  expect(done.said).toContain(
    `would download and check: rigmark-0.1.0-${target}.tar.gz k6-1.0.0-${k6}.tar.gz ${servers}`,
  );
});

test.runIf(linux).each([
  ["Linux", "armv6l", "needs ARMv7 or newer"],
  ["Linux", "riscv64", "no agent for the processor riscv64"],
  ["FreeBSD", "amd64", "no agent for FreeBSD"],
])("%s on %s is refused in one sentence", async (name, machine, says) => {
  const { PATH, calls } = offline(system(name, machine));
  const done = await f.install(["--key", "fresh"], { PATH });
  expect(done.code).toBe(77);
  expect(done.said).toContain(says);
  expect(done.said.trim().split("\n")).toHaveLength(1);
  expect(calls()).toBe("");
});

test("a script that was cut off anywhere does nothing", async () => {
  const text = readFileSync(join(root, "deploy/install.sh"), "utf8");
  for (const share of [0.1, 0.5, 0.9, 0.99]) {
    const script = join(f.dir, "cut.sh");
    writeFileSync(script, text.slice(0, Math.floor(text.length * share)));
    await new Promise((resolve) =>
      execFile("sh", [script, "--yes", "--no-service", "--prefix", f.prefix], resolve),
    );
    expect(existsSync(f.prefix)).toBe(false);
  }
});
