import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { root } from "../src/paths";
import { tarGz } from "../src/release/tar";

const target = `${arch() === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`;
const k6 = `k6-1.0.0-linux-${arch() === "arm64" ? "arm64" : "amd64"}`;
const agent = `rigmark-0.1.0-${target}`;
/** Enrolls by leaving what the real one leaves, and says what it was told. */
const program = `#!/bin/sh
echo "$@ key=$RIGMARK_ENROLL_KEY" >>"$RIGMARK_STATE.calls"
[ "$RIGMARK_ENROLL_KEY" = used ] && { echo "This key was used before." >&2; exit 1; }
mkdir -p "$RIGMARK_STATE/spool" && echo '{}' >"$RIGMARK_STATE/identity.json" && echo >"$RIGMARK_STATE/rigmark.state"
`;

let dir = "";
let server: Server;
let served: Record<string, Buffer> = {};
let asked: string[] = [];
let prefix = "";
let state = "";

const sums = () =>
  Object.entries(served)
    .filter(([name]) => name.endsWith(".gz"))
    .map(([name, data]) => `${createHash("sha256").update(data).digest("hex")}  ${name}\n`)
    .join("");

beforeAll(async () => {
  server = createServer((request, response) => {
    const name = request.url?.replace("/dl/", "") ?? "";
    asked.push(name);
    const data = served[name];
    response.writeHead(data ? 200 : 404).end(data);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void server.close());
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "rigmark-install-"));
  prefix = join(dir, "prefix");
  state = join(dir, "state");
  asked = [];
  served = {
    [`${agent}.tar.gz`]: tarGz([
      { path: `${agent}/bin/rigmark`, mode: 0o755, data: Buffer.from(program) },
      {
        path: `${agent}/share/rigmark/servers/epoll/server.toml`,
        mode: 0o644,
        data: Buffer.from("schema = 1\n"),
      },
      { path: `${agent}/share/man/man1/rigmark.1`, mode: 0o644, data: Buffer.from(".TH rigmark 1\n") },
      { path: `${agent}/share/zsh/site-functions/_rigmark`, mode: 0o644, data: Buffer.from("# rigmark\n") },
    ]),
    [`${k6}.tar.gz`]: tarGz([
      { path: `${k6}/lib/rigmark/k6`, mode: 0o755, data: Buffer.from("#!/bin/sh\n") },
      { path: `${k6}/lib/rigmark/k6-SOURCE`, mode: 0o644, data: Buffer.from("k6\n") },
    ]),
  };
  served.SHA256SUMS = Buffer.from(sums());
  return () => rmSync(dir, { recursive: true });
});

/** Stands for the network: says what it was asked for, and gets nothing. */
const stub = (): { path: string; calls: () => string } => {
  const bin = join(dir, "stub");
  const calls = join(dir, "calls");
  mkdirSync(bin);
  writeFileSync(join(bin, "curl"), `#!/bin/sh\necho "$@" >>"${calls}"\nexit 6\n`, { mode: 0o755 });
  return {
    path: `${bin}:/usr/bin:/bin`,
    calls: () => (existsSync(calls) ? readFileSync(calls, "utf8") : ""),
  };
};

const install = (args: string[], path?: string): Promise<{ code: number; said: string }> => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = readFileSync(join(root, "deploy/install.sh"), "utf8").replace("@URL@", url);
  const script = join(dir, "install.sh");
  writeFileSync(script, text);
  return new Promise((resolve) => {
    execFile(
      "sh",
      [script, "--yes", "--no-service", "--prefix", prefix, "--state-dir", state, ...args],
      path ? { env: { PATH: path } } : {},
      (error, out, err) => resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
  });
};
const installed = (): boolean => existsSync(join(prefix, "bin/rigmark"));

test.runIf(process.platform === "linux")(
  "installs, enrolls once, and changes nothing the second time",
  async () => {
    const first = await install(["--key", "fresh", "--name", "pi"]);
    expect(first.code, first.said).toBe(0);
    expect(installed() && existsSync(join(prefix, "lib/rigmark/k6"))).toBe(true);
    expect(readFileSync(`${state}.calls`, "utf8")).toMatch(/^enroll --url http:\S+ --name pi key=fresh\n$/);
    asked = [];
    const second = await install(["--key", "used"]);
    expect(second.code, second.said).toBe(0);
    expect(second.said).toContain("enrolled already");
    expect(asked).toEqual(["SHA256SUMS"]);
  },
);

test.runIf(process.platform === "linux")(
  "a used key: installed, not enrolled, exit 1, and the agent's own sentence",
  async () => {
    const done = await install(["--key", "used"]);
    expect(done.code).toBe(1);
    expect(done.said).toContain("This key was used before.");
    expect(installed()).toBe(true);
  },
);

test.runIf(process.platform === "linux")("an app without agents says how it gets them", async () => {
  delete served.SHA256SUMS;
  const done = await install(["--key", "fresh"]);
  expect(done.code).toBe(1);
  expect(done.said).toContain("SHA256SUMS is not there: the app has no agents to hand out yet.");
  expect(done.said).toContain("run ./rig release");
});

test.runIf(process.platform === "linux")(
  "a changed archive is refused and nothing is installed",
  async () => {
    served[`${k6}.tar.gz`] = Buffer.concat([served[`${k6}.tar.gz`] ?? Buffer.alloc(0), Buffer.from("x")]);
    const done = await install([]);
    expect(done.code).toBe(1);
    expect(done.said).toContain("is not what SHA256SUMS says");
    expect(existsSync(prefix)).toBe(false);
  },
);

test.runIf(process.platform === "linux")(
  "without any program that can check a hash nothing is installed",
  async () => {
    const few = join(dir, "bin");
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
    const done = await install([], few);
    expect(done.code).toBe(1);
    expect(done.said).toContain("cannot be checked; nothing was installed");
    expect(existsSync(prefix)).toBe(false);
  },
);

test.runIf(process.platform === "linux")(
  "--dry-run changes nothing; --uninstall --purge leaves nothing",
  async () => {
    const dry = await install(["--dry-run", "--key", "fresh"]);
    expect(dry.code, dry.said).toBe(0);
    expect(existsSync(prefix) || existsSync(state)).toBe(false);
    await install(["--key", "fresh"]);
    expect(existsSync(join(prefix, "share/man/man1/rigmark.1"))).toBe(true);
    rmSync(`${state}.calls`);
    const gone = await install(["--uninstall", "--purge"]);
    expect(gone.code, gone.said).toBe(0);
    expect(readdirSync(dir)).toEqual(["install.sh"]);
  },
);

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

test.runIf(process.platform === "linux").each<[string, Tree]>([
  ["of somebody's", { letters: { "a.txt": "Dear" } }],
  ["with a file only", { "notes.txt": "x" }],
  ["with names that an agent uses, too", { work: { "main.c": "" }, builds: {} }],
  ["that an agent was told to use as well", { "identity.json": identity, spool: {}, letters: {} }],
  ["with another program's identity", { "identity.json": '{"name":"x"}' }],
  ["with a hidden file", { spool: {}, ".ssh": {} }],
])("--purge keeps a folder %s, and everything else", async (_, tree) => {
  await install([]);
  write(state, tree);
  const before = readdirSync(state, { recursive: true });
  const done = await install(["--uninstall", "--purge"]);
  expect(done.code, done.said).toBe(2);
  expect(done.said).toContain(`${state} is not the state of a Rigmark agent`);
  expect(readdirSync(state, { recursive: true })).toEqual(before);
  expect(installed()).toBe(true);
});

test.runIf(process.platform === "linux").each<[string, Tree]>([
  ["that the agent marked", { "rigmark.state": "", work: {} }],
  [
    "of an agent before the mark",
    { "identity.json": identity, "agent.lock": "", spool: {}, refused: {}, builds: {} },
  ],
  ["that is empty", {}],
])("--purge deletes a state %s", async (_, tree) => {
  write(state, tree);
  const done = await install(["--uninstall", "--purge"]);
  expect(done.code, done.said).toBe(0);
  expect(existsSync(state)).toBe(false);
});

test.runIf(process.platform === "linux").each([
  "http://192.0.2.1:3000",
  "http://rigmark.example",
  // They only look like this machine.
  "http://127.0.0.1.example.com",
  "http://localhost.example.com",
  "http://localhost:80@rigmark.example",
  "http://[::1]@rigmark.example",
  "http://[::1].example.com",
])("%s is plain HTTP to another machine: nothing is downloaded", async (url) => {
  const { path, calls } = stub();
  const done = await install(["--url", url], path);
  expect(done.code, done.said).toBe(2);
  expect(done.said).toMatch(/--allow-http|has a name or a password in it/);
  expect(calls()).toBe("");
});

test.runIf(process.platform === "linux").each([
  { args: ["--url", "http://192.0.2.1:3000", "--allow-http"], tls: false },
  { args: ["--url", "http://localhost:3000"], tls: false },
  { args: ["--url", "http://127.0.0.1"], tls: false },
  { args: ["--url", "http://[::1]:3000/"], tls: false },
  { args: ["--url", "https://rigmark.example"], tls: true },
])("$args.1: what is asked for over TLS is taken over nothing else", async ({ args, tls }) => {
  const { path, calls } = stub();
  const done = await install(args, path);
  expect(done.code, done.said).toBe(1);
  expect(calls()).toContain(`${args[1]?.replace(/\/$/, "")}/dl/SHA256SUMS`);
  expect(calls().startsWith("--proto =https ")).toBe(tls);
});

test("on macOS it says how this machine joins the app that was asked for, and no other", async () => {
  const { path, calls } = stub();
  writeFileSync(join(dir, "stub/uname"), "#!/bin/sh\necho Darwin\n", { mode: 0o755 });
  const done = await install(["--key", "fresh"], path);
  expect(done.code).toBe(77);
  expect(done.said).toContain("cargo build --release -p rigmark");
  expect(done.said).toContain("rigmark enroll --url");
  // That starts an installation of its own.
  expect(done.said).not.toContain("rig up");
  expect(calls()).toBe("");
});

test("a script that was cut off anywhere does nothing", async () => {
  const text = readFileSync(join(root, "deploy/install.sh"), "utf8");
  for (const share of [0.1, 0.5, 0.9, 0.99]) {
    const script = join(dir, "cut.sh");
    writeFileSync(script, text.slice(0, Math.floor(text.length * share)));
    await new Promise((resolve) =>
      execFile("sh", [script, "--yes", "--no-service", "--prefix", prefix], resolve),
    );
    expect(existsSync(prefix)).toBe(false);
  }
});
