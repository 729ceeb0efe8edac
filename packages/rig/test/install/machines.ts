import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { env } from "../../src/env";
import { asRoot, type Done, type Fixture, read, run, stubs, tree } from "./fixture";

export const mac = { uname: "case $1 in -s) echo Darwin ;; *) echo arm64 ;; esac", sysctl: "exit 1" };

/** Services of systemd and of launchd as far as the script can tell: CALLS has what was asked of them. */
const managers: Record<string, string> = {
  systemctl: `echo "systemctl $*" >>"$CALLS"
    [ "$1" != --user ] || shift
    case "$1 $*" in
      *rigmark-restart) exit 1 ;;
      is-active*) [ -e "$CALLS.active" ] ;;
      is-failed*) exit 1 ;;
      restart*) : >"$CALLS.active" ;;
      disable*) rm -f "$CALLS.active" ;;
      *ExecMainStatus*) cat "$CALLS.status" 2>/dev/null ;;
    esac`,
  journalctl: 'echo "Waiting for runs"',
  loginctl: `echo "loginctl $*" >>"$CALLS"; case "$*" in *-linger*) exit "\${LINGER:-0}" ;; esac`,
  // What it would run later, for xargs.
  "systemd-run": `echo "systemd-run $*" >>"$CALLS"
    while case $1 in -*) ;; *) false ;; esac; do shift; done
    printf '%s\\0' "$@" >"$CALLS.deferred"`,
  launchctl: `echo "launchctl $*" >>"$CALLS"
    case "$1 $2" in
      "print gui/"[0-9]*/*) [ -e "$CALLS.active" ] && echo "	state = running" ;;
      "print gui/"*) exit "\${NO_DESKTOP:-0}" ;;
      print*) [ -e "$CALLS.active" ] && echo "	state = running" ;;
      bootstrap*) : >"$CALLS.active" ;;
      bootout*) rm -f "$CALLS.active" ;;
    esac`,
  sleep: "",
};

/** Machines to install on, with services that are stubs. */
export function machines(f: Fixture) {
  const calls = (): string => read(join(f.dir, "log/calls"));
  const busy = (): void => writeFileSync(join(f.dir, "log/calls.busy"), "");

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

  /**
   * A system of its own to be root in: the host's programs, and everything else empty. What `disk` mounts there is shown
   * at the end.
   */
  const asRootIn = async (
    args: string[],
    more: Record<string, string> = {},
    { disk = "", environment = {} }: { disk?: string; environment?: Record<string, string> } = {},
  ): Promise<Done> => {
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
    const given = Object.entries(environment).map(([name, value]) => `'${name}=${value}'`);
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
      chroot . /usr/bin/env -i HOME=/ CALLS=${f.dir}/log/calls RIGMARK_LOCK=${f.dir}/log/lock PATH=${f.dir}/stub:/usr/sbin:/usr/bin:/sbin:/bin ${given.join(" ")} sh ${f.dir}/install.sh --yes "$@"
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

  return { asUser, asRootIn, rootTree, calls, busy };
}
