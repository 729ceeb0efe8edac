import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  archives,
  canMount,
  fixture,
  linux,
  read,
  stubs,
  target,
  tree,
  withoutPrograms,
} from "./install/fixture";
import { mac, machines } from "./install/machines";

// How the script stops: with one sentence that has the reason, and so that the next try succeeds.
const f = fixture();
const { asUser, asRootIn, rootTree, calls } = machines(f);
const lines = (said: string): string[] => said.trim().split("\n");

/** A file of a machine that asRootIn makes; everybody may read it. */
const put = (path: string, mode = 0o644): void => {
  const at = join(f.dir, "root", path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, "", { mode });
};

test.runIf(canMount).each([
  ["SSL_CERT_FILE", "etc/ssl/ca.pem"],
  ["SSL_CERT_FILE", "/etc/ssl/none.pem"],
  ["SSL_CERT_FILE", "/etc/ssl/mine.pem"],
  ["SSL_CERT_FILE", "/etc/mine/ca.pem"],
  ["SSL_CERT_FILE", "/home/ada/ca.pem"],
  ["SSL_CERT_FILE", "/etc/ssl/link.pem"],
  ["SSL_CERT_FILE", "/tmp/ca.pem"],
  ["SSL_CERT_DIR", "/etc/ssl:/root/certs"],
])("%s=%s, which the service cannot read, is refused before anything is written", async (name, path) => {
  for (const file of [
    "etc/ssl/ca.pem",
    "home/ada/ca.pem",
    "root/certs/ca.pem",
    "tmp/ca.pem",
    "etc/mine/ca.pem",
  ])
    put(file);
  put("etc/ssl/mine.pem", 0o600);
  symlinkSync("/home/ada/ca.pem", join(f.dir, "root/etc/ssl/link.pem"));
  execFileSync("chmod", ["750", join(f.dir, "root/etc/mine")]);
  await asRootIn(["--help"]);
  const before = rootTree();
  const done = await asRootIn(["--key", "fresh"], {}, { environment: { [name]: path } });
  expect(done.code, done.said).toBe(1);
  const wrong = path.split(":").at(-1);
  expect(lines(done.said)).toEqual([
    `install.sh: ${name} names ${wrong}, which the service cannot read, so nothing was changed: set it to an absolute path outside of home folders and /tmp that everybody may read, such as a copy in /etc/ssl, or unset it; then run this again.`,
  ]);
  expect(rootTree()).toEqual(before);
  expect(f.asked).toEqual([]);
});

test.runIf(canMount)(
  "certificates that the service can read are kept, and an enrollment that fails names the file",
  async () => {
    put("etc/ssl/ca.pem");
    const environment = { SSL_CERT_FILE: "/etc/ssl/ca.pem", SSL_CERT_DIR: "/etc/ssl:/etc" };
    const done = await asRootIn(["--key", "used"], {}, { environment });
    expect(done.code, done.said).toBe(1);
    expect(read(join(f.dir, "root/etc/rigmark/environment")).split("\n").sort()).toEqual([
      "",
      "SSL_CERT_DIR=/etc/ssl:/etc",
      "SSL_CERT_FILE=/etc/ssl/ca.pem",
    ]);
    expect(done.said).toMatch(
      /^install\.sh: the agent is installed and this host is not enrolled, .* correct \/etc\/rigmark\/environment first\.$/m,
    );
    // What is there already is the owner's.
    const again = await asRootIn(["--key", "fresh"], {}, { environment: { SSL_CERT_FILE: "ca.pem" } });
    expect(again.code, again.said).toBe(0);
  },
);

test.runIf(linux)("a user's own service reads what the user reads", async () => {
  const file = join(f.dir, "ca.pem");
  writeFileSync(file, "", { mode: 0o600 });
  const relative = await asUser(["--user", "--key", "fresh"], {}, { SSL_CERT_FILE: "ca.pem" });
  expect(relative.code).toBe(1);
  expect(relative.said).toMatch(
    /^install\.sh: SSL_CERT_FILE names ca\.pem, .* an absolute path that you may read, /,
  );
  expect(tree(join(f.dir, "home"))).toEqual([]);
  const done = await asUser(["--user", "--key", "fresh"], {}, { SSL_CERT_FILE: file });
  expect(done.code, done.said).toBe(0);
});

/** The system's programs without curl, and with these instead of its own. */
const withoutCurl = (programs: Record<string, string> = {}): string => {
  const system = withoutPrograms(f.dir, ["curl", "minisign", ...Object.keys(programs)]);
  stubs(join(f.dir, "stub"), programs);
  return `${f.dir}/stub:${system}`;
};
const ours = `RW${"a".repeat(54)}`;

test.runIf(linux)("GNU wget says why, and what is not there is known", async (context) => {
  const help = spawnSync("wget", ["--version"], { encoding: "utf8" });
  if (!help.stdout?.startsWith("GNU Wget")) context.skip("GNU wget is not here");
  const PATH = withoutCurl();
  const unsigned = await f.install([], { PATH }, ours);
  expect([unsigned.code, unsigned.said]).toEqual([
    1,
    expect.stringContaining("is not signed, and this script has"),
  ]);
  const accepted = await f.install(["--replace-key"], { PATH, LANG: "de_DE.UTF-8" }, ours);
  expect(accepted.code, accepted.said).toBe(0);
  delete f.served.SHA256SUMS;
  const none = await f.install([], { PATH });
  expect([none.code, none.said]).toEqual([1, expect.stringContaining("has no agents to hand out yet")]);
  const nobody = await f.install(["--url", "http://127.0.0.1:9"], { PATH });
  expect([nobody.code, nobody.said]).toEqual([
    1,
    expect.stringMatching(/downloaded \(.*refused.*\)\. Is the app/),
  ]);
});

test.runIf(linux)("a wget that knows little is asked for little", async () => {
  const wget = `case $* in
    --help) echo "usage: wget [-q] [-T SEC] [-O FILE] URL" ;;
    "-q -T 15 -O "*) echo "wget: server returned error: HTTP/1.1 404 Not Found" >&2; exit 1 ;;
    *) echo "wget: unrecognized option" >&2; exit 1 ;;
  esac`;
  const done = await f.install([], { PATH: withoutCurl({ wget }) });
  expect([done.code, done.said]).toEqual([1, expect.stringContaining("has no agents to hand out yet")]);
});

const releases = (): string => join(f.dir, "home/.local/lib/rigmark");
const newer = (): void => {
  f.served = archives(target, "none", read(join(f.dir, "home/.local/bin/rigmark")).replace("0.1.0", "0.2.0"));
  f.list();
};

test.runIf(linux).each<[string, () => void, string[], Record<string, string>]>([
  ["an update", newer, [], {}],
  ["another unit", () => undefined, ["--allow-http"], {}],
  ["a proxy", () => undefined, [], { NO_PROXY: "*" }],
])("%s that was killed before the restart is finished by the next one", async (_, change, more, proxy) => {
  await asUser(["--user", "--key", "fresh"]);
  change();
  // After all is in place, and before the service is restarted.
  const loginctl = 'case "$*" in *enable-linger*) kill -KILL "$PPID" ;; esac';
  // Nobody is left to remove what it unpacked.
  await asUser(["--user", ...more], { loginctl }, { TMPDIR: join(f.dir, "log"), ...proxy });
  expect(readdirSync(releases())).toContain("unfinished");
  writeFileSync(join(f.dir, "log/calls"), "");
  const next = await asUser(["--user", ...more]);
  expect(next.code, next.said).toBe(0);
  expect(next.said).toContain("is installed already");
  expect(calls()).toContain("systemctl --user restart rigmark\n");
  expect(readdirSync(releases()).sort()).toEqual(
    ["current", "linger", readlinkSync(join(releases(), "current"))].sort(),
  );
  const last = await asUser(["--user", ...more]);
  expect(last.said).toContain("nothing has changed");
});

const key = `rgme_${"s".repeat(43)}`;

test.runIf(linux).each([
  ["enable", "Unit rigmark.service is masked."],
  ["restart", "Failed to restart rigmark.service: Access denied"],
])("systemctl %s that fails is one sentence", async (verb, why) => {
  const systemctl = `case "$*" in *is-active*) exit 1 ;; *${verb}*) echo "${why}" >&2; echo "See more." >&2; exit 1 ;; esac`;
  const done = await asUser(["--user", "--key", key], { systemctl });
  expect(done.code, done.said).toBe(1);
  const sentence = `the agent is installed and systemd does not start it (${why} See more.); when that is fixed, run the same command again.`;
  expect(lines(done.said).at(-1)).toBe(`install.sh: ${sentence}`);
  expect(f.reported.at(-1)?.body).toMatchObject({ step: "service", state: "failed", text: sentence });
  const again = await asUser(["--user"]);
  expect(again.said).toContain("The agent runs");
});

test.runIf(linux)("launchctl bootstrap that fails is one sentence with its own", async () => {
  Object.assign(f.served, archives("aarch64-apple-darwin", "macos-arm64"));
  f.list();
  const launchctl = `case $1 in
    bootstrap) echo "Bootstrap failed: 5: Input/output error" >&2; exit 5 ;;
    print) case $2 in gui/[0-9]*/*) exit 1 ;; esac ;;
  esac`;
  const done = await asUser(["--user", "--key", key], { ...mac, launchctl });
  expect(done.code, done.said).toBe(1);
  expect(lines(done.said).at(-1)).toBe(
    "install.sh: the agent is installed and launchd does not start it (Bootstrap failed: 5: Input/output error); when that is fixed, run the same command again.",
  );
  expect(f.reported.at(-1)?.body).toMatchObject({ step: "service", state: "failed" });
});

test.runIf(canMount)("a full /tmp is one sentence", async () => {
  f.served = archives(target, "none", `#!/bin/sh\n# ${"x".repeat(200_000)}\n`);
  f.list();
  const done = await asRootIn(["--key", "fresh"], {}, { disk: "mount -t tmpfs -o size=100k none tmp" });
  expect(done.code).toBe(1);
  expect(done.said).toMatch(
    /^install\.sh: \S+\.tar\.gz could not be unpacked \(tar: .+\): make room in \/tmp\/\S+ or set TMPDIR, then run this again\.\n$/,
  );
});

test.runIf(canMount)("a state folder that cannot be made takes everything back", async () => {
  await asRootIn(["--help"]);
  const before = rootTree();
  const done = await asRootIn(["--key", "fresh"], {}, { disk: "mount -t tmpfs -o ro none var" });
  expect(done.code).toBe(1);
  expect(done.said).toMatch(
    /^install\.sh: make room in \/var\/lib, .* \/var\/lib\/rigmark could not be made for rigmark \(.*Read-only.*\); nothing was changed\.\n$/,
  );
  expect(rootTree()).toEqual(before);
});

test.runIf(canMount)("an agent that the app has removed is no success", async () => {
  await asRootIn(["--key", "fresh"]);
  rmSync(join(f.dir, "log/calls.active"));
  const sleep = 'rm -f "$CALLS.active"; echo 4 >"$CALLS.status"';
  const done = await asRootIn(["--key", "fresh"], { sleep });
  expect(done.code, done.said).toBe(1);
  expect(done.said).toContain(`enrolled already at ${f.url()}; its enrollment is kept`);
  expect(done.said).toMatch(
    /^install\.sh: this host was removed from its workspace, .* with --replace at its end\.$/m,
  );
  expect(done.said).not.toContain("The agent runs");
});
