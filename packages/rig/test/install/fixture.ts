import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { arch, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { env } from "../../src/env";
import { root } from "../../src/paths";
import { type TarFile, tarGz } from "../../src/release/tar";

export const linux = process.platform === "linux";
export const target = `${arch() === "arm64" ? "aarch64" : "x86_64"}-unknown-linux-musl`;
export const k6 = `linux-${arch() === "arm64" ? "arm64" : "amd64"}`;

/** The host that every key enrolls here. */
export const HOST_ID = "0199f3c1-8a4e-7b52-9d11-2f6f0c3a5b77";

/** Enrolls by leaving what the real one leaves, and says what it was told. It measures while there is a file `busy` beside the calls. */
const program = `#!/bin/sh
case "$1 $2" in
  "--version ") echo rigmark 0.1.0; exit ;;
  "internal when-idle") [ ! -e "$CALLS.busy" ] || exit 3; shift 4; exec "$@" ;;
  "internal check-signature") [ "$(cat "$4")" = "signed with $5" ]; exit ;;
esac
mkdir -p "\${RIGMARK_STATE%/*}"
echo "$@ key=$RIGMARK_ENROLL_KEY" >>"$RIGMARK_STATE.calls"
case $RIGMARK_ENROLL_KEY in used | rgme_used*) echo "error: This key was used before." >&2; exit 1 ;; esac
if [ -n "\${SHOWN:-}" ]; then cat /proc/[0-9]*/cmdline 2>/dev/null | tr '\\0' ' ' >"$SHOWN"; fi
mkdir -p "$RIGMARK_STATE/spool" && echo '{"host_id":"${HOST_ID}","url":"'"$3"'"}' >"$RIGMARK_STATE/identity.json" && echo >"$RIGMARK_STATE/rigmark.state"
`;

const text = (path: string, data: string): TarFile => ({ path, mode: 0o644, data: Buffer.from(data) });
const repository = (path: string): string => readFileSync(join(root, path), "utf8");

/** What a release has for one system. */
export function archives(target: string, k6: string, agent = program): Record<string, Buffer> {
  const name = `rigmark-0.1.0-${target}`;
  const generator = `k6-1.0.0-${k6}`;
  const shared = `${name}/share`;
  return {
    [`${name}.tar.gz`]: tarGz([
      { path: `${name}/bin/rigmark`, mode: 0o755, data: Buffer.from(agent) },
      text(`${shared}/rigmark/servers/epoll/server.toml`, "schema = 1\n"),
      text(`${shared}/rigmark/systemd/rigmark.service`, repository("deploy/systemd/rigmark.service")),
      text(
        `${shared}/rigmark/launchd/dev.rigmark.agent.plist`,
        repository("deploy/launchd/dev.rigmark.agent.plist"),
      ),
      text(`${shared}/man/man1/rigmark.1`, ".TH rigmark 1\n"),
      text(`${shared}/zsh/site-functions/_rigmark`, "# rigmark\n"),
    ]),
    [`${generator}.tar.gz`]: tarGz([
      { path: `${generator}/lib/rigmark/k6`, mode: 0o755, data: Buffer.from("#!/bin/sh\n") },
      text(`${generator}/lib/rigmark/k6-SOURCE`, "k6\n"),
    ]),
  };
}

export interface Done {
  code: number;
  said: string;
}

/** A report as the app gets it, with its bearer, and whether a command line showed that at the time. */
export interface Report {
  bearer: string;
  shown: boolean;
  body: { step: string; state: string; text: string; host_id?: string };
}

export interface Fixture {
  dir: string;
  prefix: string;
  state: string;
  served: Record<string, Buffer>;
  /** Files that were asked for. */
  asked: string[];
  /** What the script said of its steps, in order. */
  reported: Report[];
  /** How the app takes a report; `silent` never responds. */
  takes: "all" | "none" | "silent";
  /** A name here is cut off after some bytes. */
  cut: Set<string>;
  url: () => string;
  /** Makes SHA256SUMS anew. */
  list: () => void;
  /** Writes the script with this app's address, and with a key if there is one. */
  script: (key?: string) => string;
  install: (args: string[], environment?: Record<string, string>, key?: string) => Promise<Done>;
}

/** An app that hands out a release, and a folder to install into. */
export function fixture(): Fixture {
  let server: Server;
  const f: Fixture = {
    dir: "",
    prefix: "",
    state: "",
    served: {},
    asked: [],
    reported: [],
    takes: "all",
    cut: new Set(),
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    list: () => {
      const sums = Object.entries(f.served)
        .filter(([name]) => name.endsWith(".gz"))
        .map(([name, data]) => `${createHash("sha256").update(data).digest("hex")}  ${name}\n`);
      f.served.SHA256SUMS = Buffer.from(sums.join(""));
    },
    script: (key) => {
      const script = join(f.dir, "install.sh");
      const source = repository("deploy/install.sh").replace("@URL@", f.url());
      writeFileSync(script, key === undefined ? source : source.replace("@PUBLIC_KEY@", key));
      return script;
    },
    install: (args, environment, key) =>
      run(
        "sh",
        [f.script(key), "--yes", "--no-service", "--prefix", f.prefix, "--state-dir", f.state, ...args],
        environment,
      ),
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      if (request.url === "/api/agent/v1/enroll/steps") {
        void takeReport(f, request, response);
        return;
      }
      const name = request.url?.replace("/dl/", "") ?? "";
      f.asked.push(name);
      const data = f.served[name];
      if (data && f.cut.has(name)) {
        response.writeHead(200, { "content-length": data.length });
        response.write(data.subarray(0, data.length / 2), () => response.destroy());
        return;
      }
      response.writeHead(data ? 200 : 404).end(data);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
  });
  beforeEach(() => {
    f.dir = mkdtempSync(join(tmpdir(), "rigmark-install-"));
    f.prefix = join(f.dir, "prefix");
    f.state = join(f.dir, "state");
    f.asked = [];
    f.reported = [];
    f.takes = "all";
    f.cut = new Set();
    f.served = archives(target, k6);
    f.list();
    return () => rmSync(f.dir, { recursive: true });
  });
  return f;
}

async function takeReport(f: Fixture, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const bearer = (request.headers.authorization ?? "").replace("Bearer ", "");
  f.reported.push({
    bearer,
    shown: commandLines().includes(bearer),
    body: JSON.parse(Buffer.concat(parts).toString()) as Report["body"],
  });
  if (f.takes !== "silent") response.writeHead(f.takes === "all" ? 200 : 401).end("{}");
}

/** The command lines of all programs that run now; of one that has ended meanwhile, nothing. */
const commandLines = (): string =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");

export const run = (
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<Done> =>
  new Promise((resolve) => {
    // The lock of this host is not a test's to remove.
    const lock = join(tmpdir(), "rigmark-install-test.lock");
    const given = { PATH: env.PATH, HOME: tmpdir(), RIGMARK_LOCK: lock, ...environment };
    execFile(command, args, { env: given }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, said: out + err }),
    );
  });

/** Programs that stand before the system's on PATH; each is the text of a shell script. */
export function stubs(at: string, programs: Record<string, string>): void {
  mkdirSync(at, { recursive: true });
  for (const [name, script] of Object.entries(programs))
    writeFileSync(join(at, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** A folder with the system's programs but for these. */
export function withoutPrograms(dir: string, names: string[]): string {
  const bin = join(dir, "system");
  mkdirSync(bin);
  for (const name of readdirSync("/usr/bin"))
    if (!names.includes(name)) symlinkSync(`/usr/bin/${name}`, join(bin, name));
  return bin;
}

/** Everything below a folder, with what the links point to left alone. */
export const tree = (at: string): string[] =>
  (readdirSync(at, { recursive: true }) as string[])
    .map((name) => `${name}${lstatSync(join(at, name)).isDirectory() ? "/" : ""}`)
    .sort();

/** The same with what is in the files and where the links lead. */
export const contents = (at: string): [string, string][] =>
  tree(at).map((name): [string, string] => {
    const path = join(at, name);
    if (lstatSync(path).isSymbolicLink()) return [name, readlinkSync(path)];
    return [name, lstatSync(path).isFile() ? read(path) : ""];
  });

export const read = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

/** The plist as Python reads it, which takes nothing but a right one. */
export const plist = (path: string): Record<string, unknown> =>
  JSON.parse(
    execFileSync(
      "python3",
      ["-c", "import json,plistlib,sys; print(json.dumps(plistlib.load(open(sys.argv[1],'rb'))))", path],
      { encoding: "utf8" },
    ),
  );

export const asRoot = process.getuid?.() === 0 ? ["-m"] : ["-rm"];
/** True where a test may see other mounts than the rest of the machine. */
export const canMount = ((): boolean => {
  try {
    execFileSync("unshare", [...asRoot, "true"], { stdio: "ignore" });
    return linux;
  } catch {
    return false;
  }
})();
