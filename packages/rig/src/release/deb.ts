import { dirname } from "node:path";
import { type TarFile, tarGz } from "./tar";
import type { Target } from "./targets";

const ARCHITECTURES = { aarch64: "arm64", x86_64: "amd64", arm: "armhf" } as const;

export const debName = (version: string, target: Target): string =>
  `rigmark_${version}_${ARCHITECTURES[target.arch]}.deb`;

/** A Debian package of what is in the agent's archive; null for a Mac. Enrolling stays the owner's first step. */
export function deb(version: string, target: Target, files: readonly TarFile[]): Buffer | null {
  if (target.os !== "linux") return null;
  const data = files.map((file) => ({ ...file, path: `./${installedAt(file.path)}`, data: fitting(file) }));
  const bytes = data.reduce((total, file) => total + file.data.length, 0);
  const control = [
    "Package: rigmark",
    `Version: ${version}`,
    `Architecture: ${ARCHITECTURES[target.arch]}`,
    "Maintainer: Rigmark <rigmark@localhost>",
    `Installed-Size: ${Math.ceil(bytes / 1024)}`,
    ...(target.agent.includes("-gnu") ? ["Depends: libc6 (>= 2.28)"] : []),
    "Recommends: apache2-utils, wrk, nghttp2-client, nginx",
    "Section: net",
    "Priority: optional",
    "Description: runs server benchmarks on this host and reports them",
    " The agent of Rigmark: builds and verifies servers, loads them with known tools,",
    " and sends the results to a Rigmark app.",
    "",
  ].join("\n");
  const scripts = { postinst: POSTINST, prerm: PRERM, postrm: POSTRM };
  return ar([
    ["debian-binary", Buffer.from("2.0\n")],
    [
      "control.tar.gz",
      tarGz(
        [
          { path: "./control", mode: 0o644, data: Buffer.from(control) },
          ...Object.entries(scripts).map(([name, text]) => ({
            path: `./${name}`,
            mode: 0o755 as const,
            data: Buffer.from(text),
          })),
        ],
        { folders: true },
      ),
    ],
    ["data.tar.gz", tarGz(data, { folders: true })],
  ]);
}

/** Packages own /usr; /usr/local is the administrator's. */
function installedAt(path: string): string {
  if (path === "share/rigmark/systemd/rigmark.service") return "usr/lib/systemd/system/rigmark.service";
  if (path === "share/zsh/site-functions/_rigmark") return "usr/share/zsh/vendor-completions/_rigmark";
  return `usr/${path}`;
}

const fitting = ({ path, data }: TarFile): Buffer =>
  path.startsWith("share/rigmark/systemd/")
    ? Buffer.from(
        data
          .toString()
          .replaceAll("/usr/local/bin/rigmark", "/usr/bin/rigmark")
          .replaceAll("/usr/local/share/rigmark", "/usr/share/rigmark"),
      )
    : data;

/** Written where user namespaces are turned off, as deploy/install.sh changes the unit: systemd cannot start it otherwise. */
const DROP_IN = "/etc/systemd/system/rigmark.service.d/no-user-namespaces.conf";

/**
 * An update never cuts a measurement, as in deploy/install.sh: the restart comes after it, now or later. It starts no agent
 * that its owner has stopped; the first installation does, on a host that was enrolled before.
 */
const POSTINST = `#!/bin/sh
set -e
[ "$1" = configure ] || exit 0
if ! getent passwd rigmark >/dev/null; then
  useradd --system --user-group --no-create-home --home-dir /var/lib/rigmark --shell /usr/sbin/nologin rigmark
fi
install -d -o rigmark -g rigmark -m 700 /var/lib/rigmark
if [ -d /run/systemd/system ]; then
  drop_in=${DROP_IN}
  if [ ! -e /proc/self/ns/user ] || [ "$(cat /proc/sys/user/max_user_namespaces 2>/dev/null)" = 0 ]; then
    mkdir -p "\${drop_in%/*}"
    printf '[Service]\\nPrivateUsers=no\\n' >"$drop_in"
    echo "User namespaces are turned off here (user.max_user_namespaces): the service does without them, and its runs are labeled unsandboxed."
  else
    rm -f "$drop_in"
  fi
  systemctl daemon-reload
  if systemctl is-active rigmark | grep -qE '^(active|activating|reloading)$'; then
    idle=0
    rigmark internal when-idle --within 5 systemctl restart rigmark >/dev/null 2>&1 || idle=$?
    case $idle in
      0) ;;
      3)
        echo "The running measurement goes on with the agent of before; the new one starts when it has ended."
        systemctl is-active --quiet rigmark-restart ||
          systemd-run --quiet --collect --unit=rigmark-restart \\
            /usr/bin/rigmark internal when-idle --within 86400 systemctl restart rigmark
        ;;
      *) systemctl restart rigmark ;;
    esac
  elif [ -e /var/lib/rigmark/identity.json ]; then
    if [ -z "$2" ]; then
      systemctl enable --now --quiet rigmark || true
    else
      echo "The agent was not running, so it was not started. To start it: sudo systemctl enable --now rigmark"
    fi
  fi
fi
if [ ! -e /var/lib/rigmark/identity.json ]; then
  echo 'To add this host, run this, then type the key of the page "Add a host" and press Enter:'
  echo "  sudo -u rigmark sh -c 'read -r RIGMARK_ENROLL_KEY; export RIGMARK_ENROLL_KEY RIGMARK_STATE=/var/lib/rigmark; rigmark enroll --url URL'"
  echo "Then: sudo systemctl enable --now rigmark"
fi
`;

/** The lock of the host goes with the agent, as in deploy/install.sh: while something is measured it stays. */
const PRERM = `#!/bin/sh
set -e
[ "$1" = remove ] || exit 0
if [ -d /run/systemd/system ]; then
  systemctl stop --quiet rigmark-restart 2>/dev/null || true
  systemctl disable --now rigmark || true
fi
rigmark internal when-idle --within 0 rm -f /dev/shm/rigmark.lock >/dev/null 2>&1 || true
`;

/** A person may be called rigmark, too. */
const POSTRM = `#!/bin/sh
set -e
case $1 in
  remove | purge)
    rm -f ${DROP_IN}
    rmdir ${dirname(DROP_IN)} 2>/dev/null || true
    ;;
esac
if [ -d /run/systemd/system ]; then
  systemctl daemon-reload || true
  # One that had failed would stay listed, without its file.
  systemctl reset-failed rigmark 2>/dev/null || true
fi
if [ "$1" = purge ]; then
  rm -rf /var/lib/rigmark
  if getent passwd rigmark | grep -q '^rigmark:.*:/var/lib/rigmark:'; then userdel rigmark; fi
fi
`;

/** The common ar format, as deb(5) has it: a header of 60 bytes before each member, and even lengths. */
function ar(members: [name: string, data: Buffer][]): Buffer {
  const parts: Buffer[] = [Buffer.from("!<arch>\n")];
  for (const [name, data] of members) {
    const field = (text: string, length: number): string => text.padEnd(length);
    const head = [field(name, 16), field("0", 12), field("0", 6), field("0", 6), field("100644", 8)];
    parts.push(Buffer.from(`${head.join("")}${field(String(data.length), 10)}\`\n`), data);
    if (data.length % 2 === 1) parts.push(Buffer.from("\n"));
  }
  return Buffer.concat(parts);
}
