import { execFileSync, spawn } from "node:child_process";
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
