import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { filesOf, type LauncherRequest, launcherIn } from "@rigmark/domain/launcher";
import { ReleaseTarget } from "@rigmark/results/network";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { AskedPlace } from "../src/network/place";

const dir = mkdtempSync(join(tmpdir(), "rigmark-network-"));
// Whoever measures on this host is not to hold the builds of this test.
vi.stubEnv("RIGMARK_LOCK", join(dir, "rigmark.lock"));
const { buildArchives, readArchives, unfinished } = await import("../src/network/archives");
const { choosePlace, HERE } = await import("../src/network/place");
const { takeRequest } = await import("../src/network/request");
const { inherited } = await import("../src/env");
const { useInstallation } = await import("../src/paths");
const { TARGETS } = await import("../src/release/targets");
const { CommandError } = await import("../src/say");

useInstallation(dir);
afterAll(() => rmSync(dir, { recursive: true }));

const OWN = [
  { address: "192.168.1.10", interface: "wlan0" },
  { address: "10.8.0.2", interface: "tun0" },
];
const asked: AskedPlace = { listen: null, network: null };
const ON = (network: string) => ({ listen: "0.0.0.0", network });

test("the app listens where it was asked to, else on the network that was chosen, while this machine is there", () => {
  const place = (of: Partial<AskedPlace>, remembered: string | null = null, own = OWN) =>
    choosePlace({ ...asked, ...of }, remembered, own).place;
  expect(place({})).toEqual(HERE);
  expect(place({ listen: "0.0.0.0" }, "10.8.0.2")).toEqual({ listen: "0.0.0.0", network: null });
  expect(place({ network: true })).toEqual(ON("192.168.1.10"));
  expect(place({ network: "10.8.0.2" }, "192.168.1.10")).toEqual(ON("10.8.0.2"));
  expect(place({}, "10.8.0.2")).toEqual(ON("10.8.0.2"));
  expect(place({ network: false }, "10.8.0.2")).toEqual(HERE);

  const elsewhere = choosePlace(asked, "192.168.7.7", OWN);
  expect(elsewhere.place).toEqual(HERE);
  expect(elsewhere.note).toContain("does not have the address 192.168.7.7 now");
  expect(() => choosePlace({ ...asked, network: "203.0.113.1" }, null, OWN)).toThrow(
    /no private address 203.0.113.1; it has 192.168.1.10, 10.8.0.2/,
  );
  expect(() => choosePlace({ ...asked, network: true }, null, [])).toThrow(CommandError);
});

const path = filesOf(dir).request;
const nonce = randomBytes(32).toString("base64url");
const request = (change: object = {}): LauncherRequest =>
  ({
    ...{ schema: 1, id: randomUUID(), nonce, at: Date.now() },
    ...{ action: "open", address: "192.168.1.10", first: "aarch64-unknown-linux-musl" },
    ...change,
  }) as LauncherRequest;
beforeEach(() => rmSync(path, { force: true }));

test("a request is taken once, by the launcher that it names", async () => {
  expect(takeRequest(path, nonce)).toBeNull();
  const sent = request();
  await launcherIn(dir).ask(sent);
  expect(takeRequest(path, "x".repeat(43))).toBeNull();
  expect(takeRequest(path, nonce)).toEqual(sent);
  expect(takeRequest(path, nonce)).toBeNull();
  await launcherIn(dir).ask(request({ at: Date.now() - 61_000 }));
  expect(takeRequest(path, nonce)).toBeNull();
  expect(existsSync(path)).toBe(false);
});

test("what is not in the form of a request, or could be somebody else's, is thrown away", () => {
  const write = (text: string, mode = 0o600) => {
    writeFileSync(path, text);
    chmodSync(path, mode);
  };
  for (const wrong of [
    "",
    "null",
    JSON.stringify(request({ first: "aarch64-unknown-linux-musl; touch /tmp/x" })),
    JSON.stringify(request({ address: "192.168.1.10 --port 1" })),
    JSON.stringify(request({ action: "run" })),
    JSON.stringify(request({ command: "sh" })),
    JSON.stringify(request()).padEnd(10_000),
  ]) {
    write(wrong);
    expect(takeRequest(path, nonce), wrong.slice(0, 80)).toBeNull();
    expect(existsSync(path)).toBe(false);
  }
  for (const mode of [0o644, 0o620]) {
    write(JSON.stringify(request()), mode);
    expect(takeRequest(path, nonce), String(mode)).toBeNull();
  }
  const elsewhere = join(dir, "elsewhere");
  writeFileSync(elsewhere, JSON.stringify(request()), { mode: 0o600 });
  symlinkSync(elsewhere, path);
  expect(takeRequest(path, nonce)).toBeNull();
  expect(existsSync(elsewhere)).toBe(true);
});

test("the targets are those of a release", () => {
  expect([...ReleaseTarget.options]).toEqual(TARGETS.map(({ agent }) => agent));
});

test("archives are built one target after the other, what was chosen first; a failure stops nothing", async () => {
  const said = join(dir, "said");
  const stub = ["sh", "-c", `echo "$*" >>${said}; case $1 in *armv7*) exit 1 ;; esac`, "release"];
  expect(await buildArchives("x86_64-apple-darwin", stub)).toBe(1);
  const order = readFileSync(said, "utf8").trim().split("\n");
  expect(order[0]).toBe("x86_64-apple-darwin");
  expect([...order].sort()).toEqual([...ReleaseTarget.options].sort());
  const built = readArchives();
  expect(built?.builds.map(({ target, state }) => [target, state])).toEqual(
    order.map((target) => [target, target.startsWith("armv7") ? "failed" : "ready"]),
  );
  expect(unfinished(built)).toBeNull();
  expect(
    unfinished(built && { ...built, builds: built.builds.map((b) => ({ ...b, state: "waiting" })) }),
  ).toBe("x86_64-apple-darwin");
});

test("a build that was told to end is not a failed one, and ends the others", async () => {
  expect(await buildArchives("x86_64-unknown-linux-musl", ["sh", "-c", "exit 143"])).toBe(143);
  const states = readArchives()?.builds.map(({ state }) => state);
  expect(states).toEqual(["building", "waiting", "waiting", "waiting", "waiting"]);
});

test("nor is one whose own process is told to end, and the next goes on with it", async () => {
  const begun = join(dir, "begun");
  const child = spawn(
    process.execPath,
    ["--import", "tsx", join(import.meta.dirname, "interrupted-build.ts"), dir, begun],
    { env: { ...inherited, RIGMARK_LOCK: join(dir, "rigmark.lock") }, stdio: "ignore" },
  );
  await expect.poll(() => existsSync(begun), { timeout: 30_000 }).toBe(true);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([143, null]);
  const states = readArchives()?.builds.map(({ state }) => state);
  expect(states).toEqual(["building", "waiting", "waiting", "waiting", "waiting"]);
  expect(unfinished(readArchives())).toBe("aarch64-unknown-linux-musl");
});
