import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { env } from "../src/env";
import { root } from "../src/paths";
import {
  archives,
  asRoot,
  canMount,
  type Done,
  fixture,
  HOST_ID,
  linux,
  managers,
  read,
  run,
  stubs,
  target,
  tree,
  withoutPrograms,
} from "./install/fixture";

const f = fixture();
const calls = (): string => read(join(f.dir, "log/calls"));
const busy = (): void => writeFileSync(join(f.dir, "log/calls.busy"), "");
const mac = { uname: "case $1 in -s) echo Darwin ;; *) echo arm64 ;; esac", sysctl: "exit 1" };
/** The plist as Python reads it, which takes nothing but a right one. */
const plist = (path: string): Record<string, unknown> =>
  JSON.parse(
    execFileSync(
      "python3",
      ["-c", "import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],'rb'))))", path],
      { encoding: "utf8" },
    ),
  );

/** Runs the script as an ordinary user with a home of their own. */
const asUser = (
  args: string[],
  more: Record<string, string> = {},
  environment: Record<string, string> = {},
): Promise<Done> => {
  const home = join(f.dir, "home");
  const { sudo = 'echo "sudo $*" >>"$CALLS"; exit 1', ...others } = more;
  for (const folder of [home, join(f.dir, "log")]) mkdirSync(folder, { recursive: true });
  stubs(join(f.dir, "stub"), {
    ...managers,
    id: 'case "$1" in -u) echo 1000 ;; -un) echo ada ;; *) exit 1 ;; esac',
    ...(sudo ? { sudo } : {}),
    ...others,
  });
  return run("sh", [f.script(), "--yes", ...args], {
    HOME: home,
    CALLS: join(f.dir, "log/calls"),
    PATH: `${f.dir}/stub:${env.PATH}`,
    ...environment,
  });
};

test.runIf(linux)("--user: everything in the user's home, a unit of the user's, and no sudo", async () => {
  const done = await asUser(["--user", "--key", "fresh"], {}, { HTTPS_PROXY: "http://proxy:3128" });
  expect(done.code, done.said).toBe(0);
  const unit = read(join(f.dir, "home/.config/systemd/user/rigmark.service"));
  expect(unit).toContain(`ExecStart=${f.dir}/home/.local/bin/rigmark agent\n`);
  expect(unit).toContain(`Environment=RIGMARK_STATE=${f.dir}/home/.local/state/rigmark\n`);
  expect(unit).toContain(`EnvironmentFile=-${f.dir}/home/.config/rigmark/environment\n`);
  expect(unit).toMatch(/^Environment=PATH=%h\/\.cargo\/bin:%h\/go\/bin:.*:\/usr\/local\/go\/bin/m);
  expect(unit).toContain("WantedBy=default.target");
  expect(unit).not.toMatch(/^(User|Group|Protect\w+|StateDirectory|SystemCallFilter)=|network-online/m);
  expect(read(join(f.dir, "home/.config/rigmark/environment"))).toBe("HTTPS_PROXY=http://proxy:3128\n");
  expect(calls()).toMatch(/--user daemon-reload.*enable-linger ada.*--user enable.*--user restart rigmark/s);
  expect(calls()).not.toContain("sudo");
  expect(done.said).toContain("The agent runs");
  const again = await asUser(["--user"]);
  expect(again.said).toContain("The agent is running and nothing has changed.");
});

test.runIf(linux)(
  "a user who may not linger is told in one sentence; without sudo --user is taken",
  async () => {
    const without = withoutPrograms(f.dir, ["sudo", "doas", "run0"]);
    const done = await asUser(
      ["--key", "fresh"],
      { sudo: "" },
      { LINGER: "1", PATH: `${f.dir}/stub:${without}` },
    );
    expect(done.code, done.said).toBe(0);
    expect(done.said).toContain("There is no sudo here, so the agent is for this user only");
    expect(done.said).toMatch(/^The agent stops when you log out; .*sudo loginctl enable-linger ada$/m);
  },
);
test.runIf(linux)("where the user has no systemd it says how to start the agent", async () => {
  const done = await asUser(["--user", "--key", "fresh"], { systemctl: "exit 1" });
  expect(done.code, done.said).toBe(0);
  expect(done.said).toContain("does not run systemd for users");
  expect(done.said).toContain(
    `RIGMARK_STATE=${f.dir}/home/.local/state/rigmark ${f.dir}/home/.local/bin/rigmark agent`,
  );
});

test.runIf(linux)("--user --uninstall --purge leaves the home as it was", async () => {
  mkdirSync(join(f.dir, "home/.local/bin"), { recursive: true });
  const before = tree(join(f.dir, "home"));
  await asUser(["--user", "--key", "fresh"], {}, { NO_PROXY: "*" });
  rmSync(join(f.dir, "home/.local/state/rigmark.calls"));
  const done = await asUser(["--user", "--uninstall", "--purge"]);
  expect(done.code, done.said).toBe(0);
  expect(tree(join(f.dir, "home"))).toEqual(before);
  expect(calls()).toContain("--user disable --now --quiet rigmark");
  expect(calls()).toContain("disable-linger ada");
});

test.runIf(linux)(
  "an update waits for the measurement, and is restarted by one that is left behind",
  async () => {
    await asUser(["--user", "--key", "fresh"]);
    const newer = archives(
      target,
      "none",
      read(join(f.dir, "home/.local/bin/rigmark")).replace("0.1.0", "0.2.0"),
    );
    f.served = newer;
    f.list();
    busy();
    rmSync(join(f.dir, "log/calls"));
    const done = await asUser(["--user"]);
    expect(done.code, done.said).toBe(0);
    expect(done.said).toContain("The running measurement goes on");
    expect(read(join(f.dir, "home/.local/bin/rigmark"))).toContain("0.2.0");
    expect(calls()).not.toMatch(/^systemctl --user restart/m);
    expect(calls()).toMatch(
      /^systemd-run --user .*--unit=rigmark-restart \S+rigmark internal when-idle --within 86400 systemctl --user restart rigmark$/m,
    );
  },
);

test.runIf(linux)("an agent that stands still is started, whoever measures", async () => {
  mkdirSync(join(f.dir, "log"));
  busy();
  const done = await asUser(["--user", "--key", "fresh"]);
  expect(done.said).toContain("The agent runs");
  expect(calls()).toContain("systemctl --user restart rigmark");
});

test.runIf(linux).each([
  ["0", "gui/1000"],
  ["1", "user/1000"], // over SSH
])("on macOS --user is an agent of launchd (desktop: %s)", async (NO_DESKTOP, domain) => {
  Object.assign(f.served, archives("aarch64-apple-darwin", "macos-arm64"));
  f.list();
  const done = await asUser(["--user", "--key", "fresh"], mac, { NO_DESKTOP });
  expect(done.code, done.said).toBe(0);
  const path = join(f.dir, "home/Library/LaunchAgents/dev.rigmark.agent.plist");
  const read = plist(path);
  const home = join(f.dir, "home");
  expect(read).not.toHaveProperty("UserName");
  expect(read).toMatchObject({
    Label: "dev.rigmark.agent",
    KeepAlive: true,
    StandardErrorPath: `${home}/.local/state/rigmark/agent.log`,
    EnvironmentVariables: { RIGMARK_STATE: `${home}/.local/state/rigmark`, HOME: home },
  });
  const {
    ProgramArguments: [shell, ...words],
    EnvironmentVariables: { PATH },
  } = read as {
    ProgramArguments: string[];
    EnvironmentVariables: { PATH: string };
  };
  expect(PATH.split(":")).toContain(`${home}/.cargo/bin`);
  expect(calls()).toContain(`launchctl bootstrap ${domain} ${path}`);
  // What launchd would start: with what is in the file of the environment.
  const environment = join(f.dir, "environment");
  writeFileSync(environment, "# proxy\n\nHTTPS_PROXY=a b\n");
  writeFileSync(join(f.dir, "shown"), '#!/bin/sh\necho "$HTTPS_PROXY" "$@"\n', { mode: 0o755 });
  const started = execFileSync(shell ?? "", [
    words[0] ?? "",
    words[1] ?? "",
    join(f.dir, "shown"),
    environment,
  ]);
  expect(words.slice(2)).toEqual([`${home}/.local/bin/rigmark`, `${home}/.config/rigmark/environment`]);
  expect(started.toString()).toBe("a b agent\n");
  await asUser(["--user", "--uninstall"], mac, { NO_DESKTOP });
  expect(calls()).toContain(`launchctl bootout ${domain}/dev.rigmark.agent`);
});

test.runIf(linux)("the page hears that the service is up, or its last line where it is not", async () => {
  const key = `rgme_${"k".repeat(43)}`;
  await asUser(["--user", "--key", key]);
  expect(f.reported.at(-1)?.body).toEqual({
    step: "service",
    state: "done",
    text: "systemd keeps it running",
    host_id: HOST_ID,
  });
  f.reported = [];
  const systemctl = 'case "$*" in *is-active*) exit 1 ;; esac';
  const broken = { systemctl, journalctl: 'echo "Permission denied"' };
  const done = await asUser(["--user", "--key", key, "--replace"], broken);
  expect(done.code, done.said).toBe(1);
  expect(f.reported.at(-1)?.body).toMatchObject({ step: "service", state: "failed" });
  expect(f.reported.at(-1)?.body.text).toMatch(
    /^the service does not stay up \(Permission denied\); on the host/,
  );
});

/** A system of its own to be root in: the host's programs, and everything else empty. */
const asRootIn = async (args: string[], more: Record<string, string> = {}, disk = ""): Promise<Done> => {
  const at = join(f.dir, "root");
  for (const folder of [
    "etc",
    "var",
    "tmp",
    "run/systemd/system",
    "usr",
    "dev",
    "proc",
    "local",
    "stub",
    "Library",
  ])
    mkdirSync(join(at, folder), { recursive: true });
  mkdirSync(join(f.dir, "log"), { recursive: true });
  const links = readdirSync("/").filter((name) => /^(bin|sbin|lib\w*)$/.test(name));
  stubs(join(f.dir, "stub"), {
    ...managers,
    id: `case "$1" in -u) echo 0 ;; *) grep -qx "$1" "$CALLS.users" 2>/dev/null ;; esac`,
    useradd: `echo "useradd $*" >>"$CALLS"; echo rigmark >>"$CALLS.users"
      echo rigmark:x:990:990::/var/lib/rigmark:/usr/sbin/nologin >>/etc/passwd`,
    userdel: 'echo "userdel $*" >>"$CALLS"; rm "$CALLS.users"; : >/etc/passwd',
    dscl: `case "$*" in
        *-search*) ;;
        *"-create /Users/"*UniqueID*) echo "dscl $*" >>"$CALLS"; echo _rigmark >>"$CALLS.users" ;;
        *"-delete /Users/"*) echo "dscl $*" >>"$CALLS"; rm "$CALLS.users" ;;
      esac`,
    chown: 'echo "chown $*" >>"$CALLS"',
    runuser: 'shift 3; exec "$@"',
    sudo: 'shift 4; exec "$@"',
    ...more,
  });
  f.script();
  writeFileSync(join(at, "etc/passwd"), "", { flag: "a" });
  const script = `set -e
    cd ${at}
    for d in ${links.join(" ")}; do
      if [ -L /$d ]; then [ -L $d ] || ln -s "$(readlink /$d)" $d; else mkdir -p $d; mount --rbind /$d $d; fi
    done
    if [ ! -e etc/alternatives ] && [ -d /etc/alternatives ]; then cp -RP /etc/alternatives etc/; fi
    for d in usr dev proc; do mount --rbind /$d $d; done
    mount --bind local usr/local
    ${disk}
    mkdir -p ${f.dir}/mnt ./${f.dir} && mount --rbind ${f.dir} ./${f.dir}
    set +e
    chroot . /usr/bin/env -i HOME=/ CALLS=${f.dir}/log/calls PATH=${f.dir}/stub:/usr/sbin:/usr/bin:/sbin:/bin sh ${f.dir}/install.sh --yes "$@"
    code=$?
    ${disk ? "find usr/local -mindepth 1 >&2" : ""}
    exit $code`;
  return run("unshare", [...asRoot, "sh", "-c", script, "sh", ...args]);
};
/** What the installation put there: without the folders that the mounts need. */
const rootTree = (): string[] =>
  ["etc", "var", "run", "local", "Library"].flatMap((folder) =>
    tree(join(f.dir, "root", folder)).map((name) => `${folder}/${name}`),
  );

test.runIf(canMount)("as root: a service with a user of its own, and nothing is left of it", async () => {
  await asRootIn(["--help"]);
  const before = rootTree();
  const done = await asRootIn(["--key", "fresh"]);
  expect(done.code, done.said).toBe(0);
  expect(read(join(f.dir, "root/etc/systemd/system/rigmark.service"))).toBe(
    read(join(root, "deploy/systemd/rigmark.service")),
  );
  expect(calls()).toMatch(
    /useradd --system .* rigmark.*chown -R rigmark:rigmark \/var\/lib\/rigmark.*restart rigmark/s,
  );
  expect(read(join(f.dir, "root/var/lib/rigmark.calls"))).toContain("key=fresh");
  rmSync(join(f.dir, "root/var/lib/rigmark.calls"));
  const gone = await asRootIn(["--uninstall", "--purge"]);
  expect(gone.code, gone.said).toBe(0);
  expect(rootTree()).toEqual(before);
  expect(calls()).toContain("userdel rigmark");
});

test.runIf(canMount)("a person who is called rigmark is not removed", async () => {
  await asRootIn(["--key", "fresh"]);
  rmSync(join(f.dir, "root/var/lib/rigmark.calls"));
  writeFileSync(join(f.dir, "root/etc/passwd"), "rigmark:x:1000:1000::/home/rigmark:/bin/sh\n");
  const gone = await asRootIn(["--uninstall", "--purge"]);
  expect(gone.code, gone.said).toBe(0);
  expect(calls()).not.toContain("userdel");
});

test.runIf(canMount)(
  "as root on macOS: a daemon with a user of its own, and nothing is left of it",
  async () => {
    Object.assign(f.served, archives("aarch64-apple-darwin", "macos-arm64"));
    f.list();
    await asRootIn(["--help"], mac);
    const before = rootTree();
    const done = await asRootIn(["--key", "fresh"], mac);
    expect(done.code, done.said).toBe(0);
    const path = "Library/LaunchDaemons/dev.rigmark.agent.plist";
    expect(plist(join(f.dir, "root", path))).toMatchObject({
      UserName: "_rigmark",
      KeepAlive: true,
      StandardErrorPath: "/usr/local/var/rigmark/agent.log",
      EnvironmentVariables: { RIGMARK_STATE: "/usr/local/var/rigmark", HOME: "/usr/local/var/rigmark" },
    });
    expect(calls()).toContain(`launchctl bootstrap system /${path}`);
    expect(calls()).toContain("chown -R _rigmark:_rigmark /usr/local/var/rigmark");
    rmSync(join(f.dir, "root/local/var/rigmark.calls"));
    const gone = await asRootIn(["--uninstall", "--purge"], mac);
    expect(gone.code, gone.said).toBe(0);
    expect(rootTree()).toEqual(before);
    expect(calls()).toContain("dscl . -delete /Users/_rigmark");
  },
);

test.runIf(canMount)("a full disk is one sentence, and nothing is changed", async () => {
  f.served = archives(target, "none", `#!/bin/sh\n# ${"x".repeat(200_000)}\n`);
  f.list();
  const done = await asRootIn(["--key", "fresh"], {}, "mount -t tmpfs -o size=100k none usr/local");
  expect(done.code).toBe(1);
  expect(done.said).toMatch(
    /^install\.sh: \/usr\/local could not be written \(.*No space left.*\); nothing was changed\. Make room there/m,
  );
  expect(done.said.trim().split("\n")).toHaveLength(1);
});

const unit = read(join(root, "deploy/systemd/rigmark.service"));
/** As systemd reads it: sections of one name are one. */
const withPmic = `${unit}\n${read(join(root, "deploy/systemd/allow-pmic.conf"))}`;

test.runIf(linux).for([
  { name: "the system unit", text: unit },
  { name: "the unit that may ask a Raspberry Pi 5 for its power", text: withPmic },
])("$name stays closed to 2.0 of systemd's own scale", ({ text }, context) => {
  const file = join(f.dir, "rigmark.service");
  writeFileSync(file, text);
  let said = "";
  try {
    const asked = ["security", "--offline=yes", "--no-pager", file];
    said = execFileSync("systemd-analyze", asked, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch {
    context.skip("systemd-analyze is not here, or is too old for --offline");
  }
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1])).toBeLessThanOrEqual(2);
});

/** What systemd would run, in a folder that stands for the machine. */
const lend = (setting: string, at: string): void => {
  const conf = read(join(root, "deploy/systemd/allow-tune.conf"));
  const [, shell = ""] = new RegExp(`^${setting}=\\+/bin/sh -c '(.*)'$`, "m").exec(conf) ?? [];
  const script = shell.replaceAll("$$", "$").replace(/ \/(sys|run)\//g, ` ${at}/$1/`);
  stubs(join(f.dir, "stub"), { chgrp: 'echo "chgrp $*" >>"$CALLS"', chown: 'echo "chown $*" >>"$CALLS"' });
  mkdirSync(join(f.dir, "log"), { recursive: true });
  const environment = { CALLS: join(f.dir, "log/calls"), PATH: `${f.dir}/stub:${env.PATH}` };
  execFileSync("sh", ["-c", script], { env: environment });
};

test.runIf(linux)("the owner's opt-in lends the service the files of --tune, and takes them back", () => {
  const at = join(f.dir, "machine");
  const files = [
    "sys/devices/system/cpu/cpufreq/policy0/scaling_governor",
    "sys/devices/system/cpu/cpufreq/policy4/scaling_governor",
    "sys/devices/system/cpu/cpufreq/boost",
    "sys/kernel/mm/transparent_hugepage/enabled",
  ];
  for (const file of [...files, "run/keep", "sys/devices/system/cpu/online"]) {
    mkdirSync(join(at, file, ".."), { recursive: true });
    writeFileSync(join(at, file), "", { mode: 0o644 });
  }
  const modes = () => files.map((file) => statSync(join(at, file)).mode & 0o777);
  lend("ExecStartPre", at);
  expect(modes()).toEqual(files.map(() => 0o664));
  for (const file of files) expect(calls()).toContain(`chgrp rigmark ${at}/${file}\n`);
  expect(calls()).toContain(`chown rigmark:rigmark ${at}/run/rigmark-tuned\n`);
  expect(statSync(join(at, "sys/devices/system/cpu/online")).mode & 0o777).toBe(0o644);
  lend("ExecStopPost", at);
  expect(modes()).toEqual(files.map(() => 0o644));
  for (const file of files) expect(calls()).toContain(`chgrp root ${at}/${file}\n`);
});
