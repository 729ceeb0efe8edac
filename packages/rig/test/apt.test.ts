import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { childEnv } from "../src/exec";
import { root } from "../src/paths";

const dir = mkdtempSync(join(tmpdir(), "rigmark-apt-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Says that it began, waits for a line on standard input, and says that it ended. */
const APT = `#!/bin/sh
echo began
read -r line
echo "installed $*" >"${dir}/installed"
echo ended
`;

test("an installation of packages that has begun is not ended by a signal", async () => {
  mkdirSync(join(dir, "log"));
  writeFileSync(join(dir, "apt-get"), APT);
  chmodSync(join(dir, "apt-get"), 0o755);
  const script = `state=${dir}; . ${root}/packages/rig/sh/say.sh; . ${root}/packages/rig/sh/system.sh
    policy_file=${dir}/policy
    as_root() { "$@"; }
    quietly() { shift; "$@"; }
    apt_install wrk`;
  const child = spawn("sh", ["-c", script], {
    detached: true,
    env: childEnv({ PATH: `${dir}:/usr/bin:/bin` }),
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  await once(child.stdout, "data");
  // The whole group, as Ctrl-C and ./rig down have it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(-(child.pid ?? 0), signal);
  child.stdin.write("go on\n");
  await once(child.stdout, "close");
  expect(output).toContain("ended");
  expect(existsSync(join(dir, "policy"))).toBe(false);
  expect(readFileSync(join(dir, "installed"), "utf8")).toMatch(/^installed install .* wrk$/m);
});

/** What was asked of systemd when nginx was installed, on a machine that has this already. */
const installNginx = (there: string | null): string => {
  const at = mkdtempSync(join(dir, "nginx-"));
  mkdirSync(join(at, "log"));
  for (const [name, text] of Object.entries({
    "apt-get": `case "$*" in *install*) echo >>"${at}/installed" ;; esac`,
    "dpkg-query": "exit 1",
    systemctl: `echo "systemctl $*" >>"${at}/calls"`,
  }))
    writeFileSync(join(at, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  if (there !== null) writeFileSync(join(at, there), "#!/bin/sh\n", { mode: 0o755 });
  const script = `set -eu
    state=${at}; . ${root}/packages/rig/sh/say.sh; . ${root}/packages/rig/sh/system.sh
    policy_file=${at}/policy nginx_places=${at}/nginx.service
    have() { case $1 in nginx) [ -e ${at}/nginx ] ;; *) command -v "$1" >/dev/null ;; esac; }
    as_root() { "$@"; }
    need_debian servers`;
  execFileSync("sh", ["-c", script], { env: childEnv({ PATH: `${at}:/usr/bin:/bin` }), stdio: "ignore" });
  expect(existsSync(join(at, "installed"))).toBe(true);
  return existsSync(join(at, "calls")) ? readFileSync(join(at, "calls"), "utf8") : "";
};

test("the service of an nginx that was there before is left alone", () => {
  expect(installNginx(null)).toBe("systemctl disable nginx\n");
  for (const there of ["nginx", "nginx.service"]) expect(installNginx(there)).toBe("");
});

test("debootstrap is given the mirror that apt's sources name, and Debian's own where they name none", () => {
  const mirror = (text: string): string => {
    const sources = join(dir, "sources");
    writeFileSync(sources, text);
    const script = join(root, "packages/rig/compose/mirror.sh");
    // A pattern that nothing matches stays as it is.
    return execFileSync("sh", [script, join(dir, "none/*"), sources], { encoding: "utf8" }).trim();
  };
  const ours = "http://mirror.example/debian/";
  expect(mirror(`Types: deb\nURIs: ${ours}\nSuites: bookworm\n`)).toBe(ours);
  expect(mirror(`# deb http://a/debian x\ndeb [signed-by=/k.gpg] ${ours} bookworm main\n`)).toBe(ours);
  expect(mirror("deb http://archive.ubuntu.com/ubuntu noble main\n")).toBe("http://deb.debian.org/debian");
});

/** What rig says and installs, as root on an x86-64 machine that has apt-get and these programs alone. */
function setUp(call: string, programs: Record<string, string>, released = true) {
  const at = mkdtempSync(join(dir, "set-up-"));
  for (const folder of ["log", "release"]) mkdirSync(join(at, folder));
  if (released) writeFileSync(join(at, "release/SHA256SUMS"), "");
  for (const [name, text] of Object.entries({ "apt-get": `echo "$*" >>"${at}/installed"`, ...programs }))
    writeFileSync(join(at, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  const script = `set -eu
    state=${at} root=${root} tools=${at}
    for part in say state system compose fresh-host; do . "$root/packages/rig/sh/$part.sh"; done
    policy_file=${at}/policy
    have() { [ -e "${at}/$1" ]; }
    id() { echo 0; }
    uname() { echo x86_64; }
    need_go() { exit 0; }
    ${call}`;
  const env = childEnv({ PATH: `${at}:/usr/bin:/bin` });
  const { stderr } = spawnSync("sh", ["-c", script], { encoding: "utf8", env });
  const list = join(at, "installed");
  return { said: stderr, installed: existsSync(list) ? readFileSync(list, "utf8") : "" };
}

test("a container client without an engine is not enough for the bench", () => {
  const without = setUp("need_compose", { docker: "exit 1" });
  expect(without.installed, without.said).toMatch(/^install .* docker\.io debootstrap$/m);
  expect(setUp("need_compose", { docker: "", debootstrap: "" }).installed).toBe("");
});

test("the engine that the bench installs does not start at the next boot, unless it was there before", () => {
  const systemctl = 'echo "systemctl $*" >>"$(dirname "$0")/installed"';
  const docker = "exit 1";
  const without = setUp("need_compose", { systemctl, docker });
  expect(without.installed, without.said).toMatch(
    /^systemctl disable docker\.service docker\.socket containerd\.service$/m,
  );
  expect(setUp("need_compose", { systemctl, docker, containerd: "" }).installed).toMatch(
    /^systemctl disable docker\.service docker\.socket$/m,
  );
  expect(setUp("need_compose", { systemctl, dockerd: "" }).installed).not.toContain("systemctl");
});

test("a fresh host gets what makes it, and is refused at once where there is no release", () => {
  expect(setUp("need_fresh_host fresh-host", {}).installed).toMatch(/^install .* debootstrap$/m);
  const pi = setUp("need_fresh_host fresh-host-arm64", { debootstrap: "" });
  expect(pi.installed, pi.said).toMatch(/^install .*=300 qemu-user-static$/m);
  expect(setUp("need_fresh_host fresh-host", {}, false)).toEqual({
    said: "rig: there is no release to install from: run ./rig release first.\n",
    installed: "",
  });
});
