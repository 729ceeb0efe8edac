import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { env } from "../src/env";
import { root } from "../src/paths";
import {
  archives,
  canMount,
  contents,
  fixture,
  HOST_ID,
  k6,
  linux,
  plist,
  read,
  run,
  target,
  tree,
  withoutPrograms,
} from "./install/fixture";
import { mac, machines } from "./install/machines";

const f = fixture();
const { asUser, asRootIn, rootTree, calls, busy } = machines(f);

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
test.runIf(linux)("a sudo that refuses is met before anything is downloaded", async () => {
  const done = await asUser(["--key", "fresh"], { sudo: 'echo "sudo $*" >>"$CALLS"; exit 1' });
  expect(done.code).toBe(1);
  expect(done.said).toMatch(/^install\.sh: sudo does not let this user act as root, .* add --user /m);
  expect(calls()).toBe("sudo true\n");
  expect(f.asked).toEqual([]);
});

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
  expect(calls()).toMatch(/--user daemon-reload\nsystemctl --user reset-failed rigmark\n/);
  expect(calls()).toContain("disable-linger ada");
});

test.runIf(linux)("--purge after an --uninstall finds the folders of the installation", async () => {
  await asUser(["--user", "--key", "fresh"], {}, { NO_PROXY: "*" });
  rmSync(join(f.dir, "home/.local/state/rigmark.calls"));
  expect((await asUser(["--user", "--uninstall"])).said).toContain("Kept: ");
  const state = join(f.dir, "home/.local/state/rigmark");
  expect(readdirSync(state).sort()).toEqual(["identity.json", "made", "rigmark.state", "spool"]);
  const done = await asUser(["--user", "--uninstall", "--purge"]);
  expect(done.code, done.said).toBe(0);
  expect(tree(join(f.dir, "home"))).toEqual([]);
});

test.runIf(linux)("the removal writes through no link in the state", async () => {
  await asUser(["--user", "--key", "fresh"]);
  const theirs = join(f.dir, "theirs");
  writeFileSync(theirs, "precious");
  symlinkSync(theirs, join(f.dir, "home/.local/state/rigmark/made"));
  const done = await asUser(["--user", "--uninstall"]);
  expect(done.code, done.said).toBe(0);
  expect(read(theirs)).toBe("precious");
});

test.runIf(linux)("the host's lock goes with the agent, and stays while something is measured", async () => {
  const lock = join(f.dir, "lock");
  for (const measures of [true, false]) {
    await asUser(["--user", "--key", "fresh"]);
    writeFileSync(lock, "");
    if (measures) busy();
    await asUser(["--user", "--uninstall"], {}, { RIGMARK_LOCK: lock });
    rmSync(join(f.dir, "log/calls.busy"), { force: true });
    expect(existsSync(lock)).toBe(measures);
  }
});

const program = (): string => join(f.dir, "home/.local/bin/rigmark");
const releases = (): string => join(f.dir, "home/.local/lib/rigmark");
/** The app has a newer release from here on. */
const newer = (): void => {
  f.served = archives(target, k6, read(program()).replace("0.1.0", "0.2.0"));
  f.list();
};

test.runIf(linux)("an update restarts an agent that waits, and removes the release before", async () => {
  await asUser(["--user", "--key", "fresh"]);
  const before = realpathSync(program());
  newer();
  const done = await asUser(["--user"]);
  expect(done.code, done.said).toBe(0);
  expect(read(program())).toContain("0.2.0");
  expect(existsSync(before)).toBe(false);
  const current = readlinkSync(join(releases(), "current"));
  expect(current).toMatch(/^[0-9a-f]{12}$/);
  expect(readdirSync(releases()).sort()).toEqual([current, "current", "linger"].sort());
});

test.runIf(linux)("an update leaves a measurement its files, until the restart after it", async () => {
  await asUser(["--user", "--key", "fresh"]);
  const before = dirname(dirname(realpathSync(program())));
  const files = contents(before);
  newer();
  busy();
  rmSync(join(f.dir, "log/calls"));
  const done = await asUser(["--user"]);
  expect(done.code, done.said).toBe(0);
  expect(done.said).toContain("The running measurement goes on");
  expect(read(program())).toContain("0.2.0");
  expect(contents(before)).toEqual(files);
  expect(calls()).not.toMatch(/^systemctl --user restart/m);
  expect(calls()).toMatch(
    /^systemd-run --user .*--unit=rigmark-restart \S+rigmark internal when-idle --within 86400 sh -c /m,
  );
  // What systemd-run has been given, when nothing is measured any more.
  rmSync(join(f.dir, "log/calls.busy"));
  const deferred = await run("xargs", ["-0", "-a", join(f.dir, "log/calls.deferred"), "env"], {
    CALLS: join(f.dir, "log/calls"),
    PATH: `${f.dir}/stub:${env.PATH}`,
  });
  expect(deferred.code, deferred.said).toBe(0);
  expect(calls()).toMatch(/^systemctl --user restart rigmark$/m);
  expect(existsSync(before)).toBe(false);
  expect(read(program())).toContain("0.2.0");
});

test.runIf(linux)("a mv that cannot replace a link to a folder is done without", async () => {
  const mv = 'case $1 in -f[Th]) exit 64 ;; esac; exec env PATH=/usr/bin:/bin mv "$@"';
  await asUser(["--user", "--key", "fresh"], { mv });
  newer();
  const done = await asUser(["--user"], { mv });
  expect(done.code, done.said).toBe(0);
  expect(read(program())).toContain("0.2.0");
  expect(readdirSync(releases())).toHaveLength(3);
});

/** systemd as it is where it does not take a unit. */
const refusing = { systemctl: 'case "$*" in *daemon-reload*) echo "Access denied" >&2; exit 1 ;; esac' };
const refused =
  /^install\.sh: \S+rigmark\.service could not be put in place \(Access denied\); nothing was changed\.\n$/;

test.runIf(linux)("a service that cannot be made takes everything back", async () => {
  const home = join(f.dir, "home");
  const first = await asUser(["--user", "--key", "fresh"], refusing, { NO_PROXY: "*" });
  expect(first.code).toBe(1);
  expect(first.said).toMatch(refused);
  expect(tree(home)).toEqual([]);
  await asUser(["--user", "--key", "fresh"]);
  const before = contents(home);
  newer();
  // Which is another unit.
  const second = await asUser(["--user", "--allow-http"], refusing);
  expect(second.code).toBe(1);
  expect(second.said).toMatch(refused);
  expect(contents(home)).toEqual(before);
});

test.runIf(linux).each(["INT", "TERM", "HUP"])("SIG%s before enrolling leaves nothing", async (signal) => {
  const chmod = `env PATH=/usr/bin:/bin chmod "$@"; kill -${signal} "$PPID"`;
  const done = await asUser(["--user", "--key", "fresh"], { chmod });
  expect(done.code).toBe(130);
  expect(tree(join(f.dir, "home"))).toEqual([]);
});

test.runIf(linux)("an installation of the layout before becomes a release, or stays as it was", async () => {
  const home = join(f.dir, "home");
  const old = {
    "bin/rigmark": "#!/bin/sh\nexit 1\n",
    "lib/rigmark/k6": "k6",
    "share/rigmark/installed": "old\n",
    "share/rigmark/made": "",
    "share/man/man1/rigmark.1": "old",
    "share/man/man1/rigmark-gone.1": "old",
  };
  for (const [name, text] of Object.entries(old)) {
    mkdirSync(join(home, ".local", dirname(name)), { recursive: true });
    writeFileSync(join(home, ".local", name), text, { mode: 0o755 });
  }
  const before = contents(home);
  expect((await asUser(["--user", "--key", "fresh"], refusing)).said).toMatch(refused);
  expect(contents(home)).toEqual(before);

  const done = await asUser(["--user", "--key", "fresh"]);
  expect(done.code, done.said).toBe(0);
  expect(readlinkSync(program())).toBe("../lib/rigmark/current/bin/rigmark");
  expect(readlinkSync(join(home, ".local/share/rigmark"))).toBe("../lib/rigmark/current/share/rigmark");
  expect(readdirSync(join(home, ".local/share/man/man1"))).toEqual(["rigmark.1"]);
  for (const [name, text] of Object.entries(old)) expect(read(join(releases(), "before", name))).toBe(text);
  newer();
  await asUser(["--user"]);
  expect(readdirSync(releases())).toHaveLength(3);
});

test.runIf(linux)("an agent that stands still is started, whoever measures", async () => {
  mkdirSync(join(f.dir, "log"));
  busy();
  const done = await asUser(["--user", "--key", "fresh"]);
  expect(done.said).toContain("The agent runs");
  expect(calls()).toContain("systemctl --user restart rigmark");
});

test.runIf(linux)("a dry run looks at what is there, and names each file that it would write", async () => {
  const proxy = { HTTPS_PROXY: "http://proxy:3128" };
  const dry = await asUser(["--user", "--dry-run"], {}, proxy);
  expect(dry.code, dry.said).toBe(0);
  expect(dry.said).toContain("would write the proxy and the certificates of this shell to");
  expect(dry.said).not.toContain("would run: test");
  expect(tree(join(f.dir, "home"))).toEqual([]);
  await asUser(["--user", "--key", "fresh"], {}, proxy);
  const again = await asUser(["--user", "--dry-run"], {}, proxy);
  expect(again.said).not.toContain("would write the proxy");
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
  expect(read.LimitLoadToSessionType).toBe(domain === "user/1000" ? "Background" : undefined);
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
  // At the desktop later there are not two of it.
  await asUser(["--user", "--replace", "--key", "fresh"], mac);
  const domains = calls().match(/(?<=^launchctl boot(out|strap) )(gui|user)\/1000/gm);
  expect(new Set(domains)).toEqual(new Set([domain]));
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
  // The owner's opt-in, and what it leaves.
  const drop = join(f.dir, "root/etc/systemd/system/rigmark.service.d");
  mkdirSync(drop);
  for (const file of [join(drop, "allow-tune.conf"), join(f.dir, "root/run/rigmark-tuned")])
    writeFileSync(file, "");
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
    expect(plist(join(f.dir, "root", path))).not.toHaveProperty("LimitLoadToSessionType");
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

test.runIf(canMount)("a user that cannot be made is one sentence, and nothing is changed", async () => {
  await asRootIn(["--help"]);
  const before = rootTree();
  const useradd = 'echo "useradd: cannot lock /etc/passwd" >&2; exit 1';
  const done = await asRootIn(["--key", "fresh"], { useradd });
  expect(done.code).toBe(1);
  expect(done.said).toBe(
    "install.sh: the system user rigmark could not be made (useradd: cannot lock /etc/passwd); nothing was changed.\n",
  );
  expect(rootTree()).toEqual(before);
});

test.runIf(canMount)("a full disk is one sentence, and nothing is changed", async () => {
  f.served = archives(target, "none", `#!/bin/sh\n# ${"x".repeat(200_000)}\n`);
  f.list();
  const done = await asRootIn(["--key", "fresh"], {}, { disk: "mount -t tmpfs -o size=100k none usr/local" });
  expect(done.code).toBe(1);
  expect(done.said).toMatch(
    /^install\.sh: \/usr\/local could not be written \(.*No space left.*\); nothing was changed\. Make room there/m,
  );
  expect(done.said.trim().split("\n")).toHaveLength(1);
});
