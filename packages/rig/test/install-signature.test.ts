import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  archives,
  type Done,
  fixture,
  k6,
  linux,
  read,
  stubs,
  target,
  withoutPrograms,
} from "./install/fixture";

const f = fixture();
const OURS = `RW${"a".repeat(54)}`;
const OTHER = `RW${"b".repeat(54)}`;

/** Stands for minisign, as the stub of the agent does: a signature that names the key is good. */
const minisign = '[ "$1 $3 $5" = "-Vqm -x -P" ] && [ "$(cat "$4")" = "signed with $6" ]';
const sign = (key: string): void => {
  f.served["SHA256SUMS.minisig"] = Buffer.from(`signed with ${key}`);
};
const update = (): void => {
  f.served = { ...f.served, ...archives(target, k6, "#!/bin/sh\necho 0.2.0\n") };
  f.list();
};
const install = (key: string, args: string[] = []): Promise<Done> =>
  f.install(args, { PATH: `${f.dir}/stub:${without}` }, key);
const program = (): string => read(join(f.prefix, "bin/rigmark"));

// The system's programs, without a minisign of this machine.
let without = "";
beforeAll(() => {
  const dir = mkdtempSync(join(tmpdir(), "rigmark-programs-"));
  if (linux) without = withoutPrograms(dir, ["minisign"]);
  return () => rmSync(dir, { recursive: true });
});

test.runIf(linux)("a good signature is said, and its key counts from then on", async () => {
  stubs(join(f.dir, "stub"), { minisign });
  sign(OURS);
  const first = await install(OURS);
  expect(first.code, first.said).toBe(0);
  expect(first.said).toContain("The signature of the release is good.");
  expect(read(join(f.prefix, "share/rigmark/release.pub"))).toMatch(/^untrusted comment: .*\nRWa+\n$/);

  update();
  sign(OTHER);
  const other = await install(OTHER);
  expect([other.code, other.said]).toEqual([1, expect.stringContaining("another key than the one of this")]);
  const unknown = await install("");
  expect([unknown.code, unknown.said]).toEqual([
    1,
    expect.stringContaining("signature of SHA256SUMS is not by"),
  ]);
  delete f.served["SHA256SUMS.minisig"];
  const bare = await install(OURS);
  expect([bare.code, bare.said]).toEqual([
    1,
    expect.stringContaining("is not signed, and the installed one was"),
  ]);
  expect(program()).not.toContain("0.2.0");

  sign(OTHER);
  const accepted = await install(OTHER, ["--replace-key"]);
  expect(accepted.code, accepted.said).toBe(0);
  expect(program()).toContain("0.2.0");
  expect(read(join(f.prefix, "share/rigmark/release.pub"))).toContain(OTHER);
});

test.runIf(linux)("a bad signature installs nothing", async () => {
  stubs(join(f.dir, "stub"), { minisign });
  sign(OTHER);
  const done = await install(OURS);
  expect(done.code).toBe(1);
  expect(done.said.trim().split("\n")).toHaveLength(1);
  expect(existsSync(f.prefix)).toBe(false);
});

test.runIf(linux)("without minisign an installed agent checks, and the first time nobody does", async () => {
  stubs(join(f.dir, "stub"), {});
  sign(OURS);
  const first = await install(OURS);
  expect(first.code, first.said).toBe(0);
  expect(first.said).toContain("Only the checksums were checked");
  update();
  sign(OTHER);
  const bad = await install(OURS);
  expect([bad.code, bad.said]).toEqual([1, expect.stringContaining("signature of SHA256SUMS is not by")]);
  sign(OURS);
  const good = await install(OURS);
  expect([good.code, good.said]).toEqual([0, expect.stringContaining("signature of the release is good")]);
});

test.runIf(linux)("a script with a key takes no unsigned release, the first time either", async () => {
  const done = await install(OURS);
  expect(done.code).toBe(1);
  expect(done.said).toMatch(/^install\.sh: the release of \S+ is not signed, .*--replace-key\.\n$/);
  expect(existsSync(f.prefix)).toBe(false);
  const accepted = await install(OURS, ["--replace-key"]);
  expect(accepted.code, accepted.said).toBe(0);
});

test.runIf(linux)("a script without a key asks for no signature", async () => {
  sign(OURS);
  const done = await f.install([], {}, "");
  expect(done.code, done.said).toBe(0);
  expect(f.asked).not.toContain("SHA256SUMS.minisig");
});

/** Made for this test by the real program, where it is here. */
const real = ((): { sign: (file: string) => void; key: string } | null => {
  const dir = mkdtempSync(join(tmpdir(), "rigmark-minisign-"));
  afterAll(() => rmSync(dir, { recursive: true }));
  try {
    execFileSync("minisign", ["-GW", "-p", join(dir, "pub"), "-s", join(dir, "sec")], { stdio: "ignore" });
    return {
      sign: (file) =>
        void execFileSync("minisign", ["-Sm", file, "-s", join(dir, "sec")], { stdio: "ignore" }),
      key: read(join(dir, "pub")).trim().split("\n").at(-1) ?? "",
    };
  } catch {
    return null;
  }
})();

test.runIf(real)("a signature of the real minisign", async () => {
  const sums = join(f.dir, "SHA256SUMS");
  writeFileSync(sums, f.served.SHA256SUMS ?? "");
  real?.sign(sums);
  f.served["SHA256SUMS.minisig"] = readFileSync(`${sums}.minisig`);
  const good = await f.install([], {}, real?.key);
  expect([good.code, good.said]).toEqual([0, expect.stringContaining("signature of the release is good")]);
  update();
  const bad = await f.install([], {}, real?.key);
  expect([bad.code, bad.said]).toEqual([1, expect.stringContaining("signature of SHA256SUMS is not by")]);
});
