import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HostFacts } from "@rigmark/protocol";
import { afterAll, beforeAll, expect, test } from "vitest";
import { root } from "../src/paths";
import { crossEnv } from "../src/release/cross";
import { deb, debName } from "../src/release/deb";
import { checkSize } from "../src/release/limits";
import { others, type Packed } from "../src/release/others";
import { contentHash } from "../src/release/prebuilt";
import { misfit, readProgram } from "../src/release/program";
import { isSignedBy, publicKey, signature, signingKey } from "../src/release/sign";
import { Staging } from "../src/release/staging";
import { type TarFile, tarGz } from "../src/release/tar";
import { TARGETS, targetOf } from "../src/release/targets";

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "rigmark-tar-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

const deep = `${"a-long-folder/".repeat(9)}file.txt`;
const files: TarFile[] = [
  { path: "top/bin/program", mode: 0o755, data: Buffer.from("#!/bin/sh\n") },
  { path: `top/${deep}`, mode: 0o644, data: Buffer.alloc(513, 7) },
  { path: "top/empty", mode: 0o644, data: Buffer.alloc(0) },
];

test("the system's tar unpacks the same files with the same modes", () => {
  writeFileSync(join(dir, "a.tar.gz"), tarGz(files));
  execFileSync("tar", ["-xzf", "a.tar.gz"], { cwd: dir });
  for (const file of files) {
    expect(readFileSync(join(dir, file.path)).equals(file.data)).toBe(true);
    expect(statSync(join(dir, file.path)).mode & 0o777).toBe(file.mode);
  }
});

test("the same files give the same bytes, in whatever order they come", () => {
  expect(tarGz(files).equals(tarGz([...files].reverse()))).toBe(true);
});

const hasDpkg = spawnSync("dpkg-deb", ["--version"]).status === 0;
test.runIf(hasDpkg)("dpkg reads the Debian package", () => {
  const path = join(dir, debName("1.2.3", targetOf("aarch64-unknown-linux-musl")));
  const unit = {
    path: "share/rigmark/systemd/rigmark.service",
    mode: 0o644 as const,
    data: Buffer.from("ExecStart=/usr/local/bin/rigmark agent\n"),
  };
  const program = { path: "bin/rigmark", mode: 0o755 as const, data: Buffer.from("#!/bin/sh\n") };
  const optIn = {
    path: "share/rigmark/systemd/allow-tune.conf",
    mode: 0o644 as const,
    data: Buffer.from("# sudo cp /usr/local/share/rigmark/systemd/allow-tune.conf\n"),
  };
  const data = deb("1.2.3", targetOf("aarch64-unknown-linux-musl"), [program, unit, optIn]);
  writeFileSync(path, data ?? "");
  const field = (name: string) =>
    execFileSync("dpkg-deb", ["--field", path, name], { encoding: "utf8" }).trim();
  expect([field("Package"), field("Version"), field("Architecture")]).toEqual(["rigmark", "1.2.3", "arm64"]);
  // The load tools that do not come with the agent, and nginx.
  expect(field("Recommends")).toBe("apache2-utils, wrk, nghttp2-client, nginx");
  execFileSync("dpkg-deb", ["--extract", path, join(dir, "deb")]);
  execFileSync("dpkg-deb", ["--control", path, join(dir, "deb-control")]);
  expect(statSync(join(dir, "deb/usr/bin/rigmark")).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(dir, "deb/usr/lib/systemd/system/rigmark.service"), "utf8")).toBe(
    "ExecStart=/usr/bin/rigmark agent\n",
  );
  expect(readFileSync(join(dir, "deb/usr/share/rigmark/systemd/allow-tune.conf"), "utf8")).toBe(
    "# sudo cp /usr/share/rigmark/systemd/allow-tune.conf\n",
  );
  for (const script of ["postinst", "prerm", "postrm"])
    execFileSync("sh", ["-n", join(dir, "deb-control", script)]);
  expect(deb("1.2.3", targetOf("x86_64-apple-darwin"), [program])).toBeNull();
});

const RUNNING = 'case "$*" in "is-active rigmark") echo active ;; esac';

/** Runs a script of the package on a machine that has systemd and an enrolled host, and says what it did. */
function runScript(name: string, args: string[], stubs: Record<string, string>): string {
  const at = mkdtempSync(join(dir, "deb-script-"));
  const program = { path: "bin/rigmark", mode: 0o755 as const, data: Buffer.from("#!/bin/sh\n") };
  const data = deb("1.2.3", targetOf("x86_64-unknown-linux-musl"), [program]);
  writeFileSync(join(at, "rigmark.deb"), data ?? "");
  execFileSync("dpkg-deb", ["--control", join(at, "rigmark.deb"), join(at, "control")]);
  const script = readFileSync(join(at, "control", name), "utf8")
    .replaceAll("/var/lib/rigmark", join(at, "state"))
    .replaceAll("/run/systemd/system", at)
    .replaceAll("/etc/systemd/system", join(at, "etc"))
    .replaceAll("/proc/sys/user/max_user_namespaces", join(at, "namespaces"));
  for (const folder of ["bin", "state"]) mkdirSync(join(at, folder));
  writeFileSync(join(at, "state/identity.json"), "{}");
  const all = { systemctl: RUNNING, "systemd-run": "", userdel: "", install: "", getent: "", ...stubs };
  for (const [stub, text] of Object.entries(all))
    writeFileSync(join(at, "bin", stub), `#!/bin/sh\necho "${stub} $*" >>"${at}/calls"\n${text}\n`, {
      mode: 0o755,
    });
  const said = execFileSync("sh", ["-c", script, "sh", ...args], {
    encoding: "utf8",
    env: { PATH: `${at}/bin:/usr/bin:/bin`, AT: at },
  });
  return said + readFileSync(join(at, "calls"), "utf8");
}

test.runIf(hasDpkg)("an update of the package waits for a measurement", () => {
  const update = (stubs: Record<string, string>) => runScript("postinst", ["configure", "1.2.2"], stubs);
  const busy = `${RUNNING}; case "$*" in *rigmark-restart*) exit 3 ;; esac`;
  const measuring = update({ systemctl: busy, rigmark: "exit 3" });
  expect(measuring).toContain("The running measurement goes on");
  expect(measuring).not.toMatch(/^systemctl restart/m);
  expect(measuring).toMatch(
    /^systemd-run .*\/usr\/bin\/rigmark internal when-idle --within 86400 systemctl restart rigmark$/m,
  );
  const rigmark = 'shift 4; "$@"';
  const waiting = update({ rigmark });
  expect(waiting).toMatch(/^systemctl restart rigmark$/m);
  // It fails at each start, and the update may be what helps.
  const failing = update({ systemctl: RUNNING.replace("active ;;", "activating ;;"), rigmark });
  expect(failing).toMatch(/^systemctl restart rigmark$/m);
});

test.runIf(hasDpkg)("an update starts no agent that its owner stopped, and a first installation does", () => {
  const systemctl = 'if [ "$1" = is-active ]; then echo inactive; exit 3; fi';
  const stopped = runScript("postinst", ["configure", "1.2.2"], { systemctl });
  expect(stopped).toContain("To start it: sudo systemctl enable --now rigmark");
  expect(stopped).not.toMatch(/^systemctl (re)?(start|enable)|when-idle/m);
  const enrolled = runScript("postinst", ["configure"], { systemctl });
  expect(enrolled).toMatch(/^systemctl enable --now --quiet rigmark$/m);
  const unknown = { systemctl, install: 'rm -f "$AT/state/identity.json"' };
  expect(runScript("postinst", ["configure"], unknown)).not.toMatch(/^systemctl (re)?(start|enable)/m);
});

test.runIf(hasDpkg)("where user namespaces are turned off the package's service does without them", () => {
  const at = "$AT/etc/rigmark.service.d";
  const systemctl = `cat "${at}/no-user-namespaces.conf" 2>/dev/null || true`;
  const said = (install: string) => runScript("postinst", ["configure"], { systemctl, install });
  expect(said('echo 0 >"$AT/namespaces"')).toContain("[Service]\nPrivateUsers=no\n");
  // And has them again when they are turned on.
  const before = `mkdir -p "${at}" && echo PrivateUsers=no >"${at}/no-user-namespaces.conf"`;
  expect(said(`echo 100 >"$AT/namespaces"; ${before}`)).not.toContain("PrivateUsers");
});

test.runIf(hasDpkg)("the package shows no key in a command line", () => {
  const said = runScript("postinst", ["configure"], { install: 'rm -f "$AT/state/identity.json"' });
  expect(said).toContain("read -r RIGMARK_ENROLL_KEY");
  expect(said).not.toContain("--key");
});

test.runIf(hasDpkg)("the removal of the package takes the host's lock, unless somebody holds it", () => {
  expect(runScript("prerm", ["remove"], { rigmark: "exit 3" })).toMatch(
    /^systemctl disable --now rigmark\nrigmark internal when-idle --within 0 rm -f \/dev\/shm\/rigmark\.lock$/m,
  );
});

test.runIf(hasDpkg)("the purge of the package removes its own user and no person", () => {
  const own = runScript("postrm", ["purge"], { getent: 'echo "rigmark:x:990:990::$AT/state:/bin/false"' });
  expect(own).toContain("userdel rigmark");
  expect(own).toMatch(/^systemctl daemon-reload\nsystemctl reset-failed rigmark$/m);
  const person = runScript("postrm", ["purge"], {
    getent: 'echo "rigmark:x:1000:1000::/home/rigmark:/bin/sh"',
  });
  expect(person).not.toContain("userdel");
});

test("the app takes the facts of every host that there is an agent for", () => {
  const { os, arch } = HostFacts.shape;
  for (const target of TARGETS) {
    expect(os.options).toContain(target.os);
    expect(arch.options).toContain(target.arch);
  }
});

test("a release in a folder with a space in its name is refused before anything is installed", () => {
  const script = `for part in say state usage; do . "$0/packages/rig/sh/$part.sh"; done; root='/a b'; check_arguments release`;
  const done = spawnSync("sh", ["-c", script, root], { encoding: "utf8" });
  expect([done.status, done.stderr]).toEqual([1, expect.stringContaining("cannot be built in /a b, since")]);
});

test("a name that does not fit is refused", () => {
  expect(() => tarGz([{ path: "x".repeat(300), mode: 0o644, data: Buffer.alloc(0) }])).toThrow(/too long/);
});

test("a program says what it runs on", () => {
  expect(readProgram(Buffer.from("#!/bin/sh\n"))).toBeNull();
  expect(readProgram(Buffer.alloc(0))).toBeNull();
  const node = readProgram(readFileSync(process.execPath));
  expect(node).toMatchObject({
    os: process.platform === "darwin" ? "macos" : "linux",
    arch: process.arch === "arm64" ? "aarch64" : "x86_64",
    loader: expect.stringMatching(/^\/.*ld/),
  });
});

test("a server is built without the folder that it is built in, which has another name each time", () => {
  const { RUSTFLAGS } = crossEnv(targetOf("x86_64-unknown-linux-musl"), "/tmp/random/axum");
  const maps = RUSTFLAGS?.split(" ").map((flag) => flag.replace("--remap-path-prefix=", ""));
  expect(maps?.slice(0, 2)).toEqual(["/tmp/random=build", "/tmp/random/axum=."]);
});

/** A header of 64 bytes and one program header, as System V ABI has them. */
function elf(machine: number, wide: boolean, loader: string | null): Buffer {
  const data = Buffer.alloc(256);
  data.write("\x7fELF", "latin1");
  data[4] = wide ? 2 : 1;
  data[5] = 1;
  data.writeUInt16LE(machine, 18);
  if (wide) data.writeBigUInt64LE(64n, 32);
  else data.writeUInt32LE(64, 28);
  data.writeUInt16LE(56, wide ? 54 : 42);
  data.writeUInt16LE(1, wide ? 56 : 44);
  data.writeUInt32LE(loader === null ? 1 : 3, 64);
  if (wide) data.writeBigUInt64LE(128n, 72);
  else data.writeUInt32LE(128, 68);
  data.write(`${loader ?? ""}\0`, 128);
  return data;
}

test.each([
  ["aarch64", elf(183, true, null), null],
  ["x86_64", elf(62, true, "/lib64/ld-linux-x86-64.so.2"), "/lib64/ld-linux-x86-64.so.2"],
  ["arm", elf(40, false, "/lib/ld-linux-armhf.so.3"), "/lib/ld-linux-armhf.so.3"],
])("an ELF file of %s says which loader it needs", (arch, data, loader) => {
  expect(readProgram(data)).toEqual({ os: "linux", arch, loader, signed: false });
});

test("what a host downloads stays small", () => {
  const mib = 2 ** 20;
  expect(() => checkSize("program", "a-target", 8 * mib)).not.toThrow();
  expect(() => checkSize("program", "a-target", 8 * mib + 1)).toThrow(/the agent for a-target has 8.00 MiB/);
  expect(() => checkSize("archive", "a-target", 13 * mib)).toThrow(/has 13.00 MiB, and at most 12 are/);
});

/** A Mach-O for Apple silicon: two pages of code, the second one short, and the linker's signature behind them. */
function machO(): Buffer {
  const [page, end, size] = [4096, 5000, 32];
  const at = 5008;
  const data = Buffer.alloc(at + 256);
  for (const [i, word] of [0xfeedfacf, 0x0100000c, 0, 2, 2, 48, 0, 0].entries())
    data.writeUInt32LE(word, 4 * i);
  for (const [i, word] of [0xe, 32, 12].entries()) data.writeUInt32LE(word, 32 + 4 * i);
  data.write("/usr/lib/dyld\0", 44);
  for (const [i, word] of [0x1d, 16, at, 256].entries()) data.writeUInt32LE(word, 64 + 4 * i);
  data.fill(7, 128, end);
  for (const [i, word] of [0xfade0cc0, 256, 1, 0, 20].entries()) data.writeUInt32BE(word, at + 4 * i);
  const directory = [0xfade0c02, 200, 0x20400, 2, 88, 48, 0, 2, end];
  for (const [i, word] of directory.entries()) data.writeUInt32BE(word, at + 20 + 4 * i);
  data.set([size, 2, 0, Math.log2(page)], at + 20 + 36);
  for (const [i, to] of [page, end].entries()) {
    const hash = createHash("sha256").update(data.subarray(i * page, to));
    data.set(hash.digest(), at + 20 + 88 + i * size);
  }
  return data;
}

test("a Mach-O file is signed if the signature holds for each of its pages", () => {
  const mac = { os: "macos", arch: "aarch64", loader: "/usr/lib/dyld" };
  expect(readProgram(machO())).toEqual({ ...mac, signed: true });
  const changed = (at: number) => {
    const data = machO();
    data.writeUInt8(data.readUInt8(at) ^ 1, at);
    return readProgram(data)?.signed;
  };
  // A byte of each page, the kind of the load command, and the signature's first word.
  for (const at of [200, 4500, 64, 5008]) expect(changed(at)).toBe(false);
  expect(readProgram(machO().subarray(0, 5008))?.signed).toBe(false);
});

test("a program is for its target, and signed for Apple silicon alone", () => {
  const mac = targetOf("aarch64-apple-darwin");
  const intel = targetOf("x86_64-apple-darwin");
  const linux = targetOf("x86_64-unknown-linux-musl");
  const ofMac = (arch: "aarch64" | "x86_64", signed: boolean) =>
    ({ os: "macos", arch, loader: "/usr/lib/dyld", signed }) as const;
  expect(misfit(ofMac("x86_64", false), intel)).toBeNull();
  expect(misfit(ofMac("aarch64", false), mac)).toContain("no signature");
  expect(misfit(ofMac("aarch64", true), mac)).toBeNull();
  expect(misfit(ofMac("x86_64", false), linux)).toBe("it came out for macos on x86_64");
  expect(misfit(null, linux)).toBe("it is not a program");
});

test("a signature is that of one file, one comment and one key, which is made once", () => {
  const path = join(dir, "keys", "release-key");
  const key = signingKey(path);
  const pub = publicKey(key);
  expect(publicKey(signingKey(path))).toBe(pub);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const sums = Buffer.from("abc  rigmark.tar.gz\n");
  const signed = signature(sums, key, "rigmark 1.0.0");
  expect(isSignedBy(sums, signed, pub)).toBe(true);
  expect(isSignedBy(Buffer.from("abd"), signed, pub)).toBe(false);
  expect(isSignedBy(sums, signed.replace("1.0.0", "1.0.1"), pub)).toBe(false);
  expect(isSignedBy(sums, signed, publicKey(signingKey(join(dir, "other"))))).toBe(false);
  writeFileSync(join(dir, "no-key"), "hello\n");
  expect(() => signingKey(join(dir, "no-key"))).toThrow(/no release key/);
});

test("a content hash is the agent's", () => {
  const folder = mkdtempSync(join(dir, "content-"));
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src", "main.c"), "int main;");
  writeFileSync(join(folder, "server.toml"), "x", { mode: 0o755 });
  const expected = createHash("sha256").update("server.toml\0x\x001\0xsrc/main.c\0-\x009\0int main;");
  expect(contentHash(folder, ["src/main.c", "server.toml"])).toBe(expected.digest("hex"));
});

test("archives for other targets stay, if they are of these versions and unchanged", () => {
  const folder = join(dir, "kept");
  mkdirSync(folder);
  expect(others(folder, [], { own: "1.0.0", k6: "2.0.0" })).toEqual([]);
  const put = (name: string, kind: Packed["kind"], version: string, target: string): Packed => {
    writeFileSync(join(folder, name), name);
    const sha256 = createHash("sha256").update(name).digest("hex");
    return { name, kind, version, target, bytes: name.length, sha256 };
  };
  const made = put("rigmark-1.0.0-a.tar.gz", "agent", "1.0.0", "a");
  const other = put("rigmark-1.0.0-b.tar.gz", "agent", "1.0.0", "b");
  const k6 = put("k6-2.0.0-b.tar.gz", "k6", "2.0.0", "b");
  const old = put("rigmark-0.9.0-c.tar.gz", "agent", "0.9.0", "c");
  const changed = { ...put("servers-1.0.0-b.tar.gz", "servers", "1.0.0", "b"), sha256: "0".repeat(64) };
  const gone = { ...other, name: "rigmark-1.0.0-d.tar.gz" };
  const manifest = { schema: 1, version: "1.0.0", files: [made, other, k6, old, changed, gone] };
  writeFileSync(join(folder, "manifest.json"), JSON.stringify(manifest));
  expect(others(folder, [made], { own: "1.0.0", k6: "2.0.0" })).toEqual([other, k6]);
  for (const broken of ["", "{}", JSON.stringify({ files: [{ ...other, name: "../b" }] })]) {
    writeFileSync(join(folder, "manifest.json"), broken);
    expect(others(folder, [], { own: "1.0.0", k6: "2.0.0" })).toEqual([]);
  }
});

test("hosts see the release of before until the new one is complete, also after an error", () => {
  const folder = mkdtempSync(join(dir, "staging-"));
  const seen = () =>
    Object.fromEntries(readdirSync(folder).map((n) => [n, readFileSync(join(folder, n), "utf8")]));
  const before = { "a.tar.gz": "old", SHA256SUMS: "of old" };
  for (const [name, text] of Object.entries(before)) writeFileSync(join(folder, name), text);
  const sha256 = createHash("sha256").update("new").digest("hex");
  const failed = new Staging(folder);
  expect(failed.put("a.tar.gz", Buffer.from("new"))).toEqual({ bytes: 3, sha256 });
  expect(seen()).toMatchObject(before);
  failed.discard();
  expect(seen()).toEqual(before);
  const whole = new Staging(folder);
  whole.put("a.tar.gz", Buffer.from("new"));
  whole.put("SHA256SUMS", Buffer.from("of new"));
  expect(seen()).toMatchObject(before);
  whole.publish();
  whole.discard();
  expect(seen()).toEqual({ "a.tar.gz": "new", SHA256SUMS: "of new" });
});
