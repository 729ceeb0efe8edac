import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeNetwork, getNetwork, isDomainError, openNetwork } from "../src/index";
import {
  Archives,
  filesOf,
  LauncherNote,
  LauncherRequest,
  launcherIn,
  privateAddresses,
} from "../src/launcher";
import { type Person, useWorld } from "./world";

const world = useWorld();
const dir = mkdtempSync(join(tmpdir(), "rigmark-network-"));
const files = filesOf(dir);
const OWN = { address: "192.168.1.10", interface: "wlan0" };
const launcher = { ...launcherIn(dir), addresses: async () => [OWN] };
const first = "aarch64-unknown-linux-musl" as const;
const nonce = randomBytes(32).toString("base64url");
let ada: Person;
let eve: Person;

const note = (change: Partial<LauncherNote> = {}) =>
  writeFileSync(
    files.note,
    JSON.stringify(
      LauncherNote.parse({ schema: 1, pid: process.pid, nonce, may: "open", last: null, ...change }),
    ),
  );
const asked = (person: Person, atThisMachine = true) => ({
  ctx: person.ctx,
  input: { workspace: person.workspace, launcher, atThisMachine },
});
const open = (person: Person, address = OWN.address, atThisMachine = true) => {
  const { ctx, input } = asked(person, atThisMachine);
  return openNetwork({ ctx, input: { ...input, address, first } });
};
const refusal = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => "done",
    (error) => (isDomainError(error) ? `${error.code}: ${error.message}` : String(error)),
  );

beforeAll(async () => {
  ada = await world.person("Ada");
  eve = await world.person("Eve");
  await world.domain.db.prisma.workspace.updateMany({
    where: { slug: { slug: ada.workspace } },
    data: { home: true },
  });
});
afterAll(() => rmSync(dir, { recursive: true }));

it("is asked for by an owner of the installation, at its machine, while a launcher takes requests", async () => {
  expect(await refusal(open(ada))).toContain("state: This needs a ./rig up that runs in the foreground");
  note();
  expect(await refusal(open(eve))).toContain("forbidden: Only an owner of the workspace that ./rig up");
  expect(await refusal(open(ada, OWN.address, false))).toContain("forbidden: Do this on the machine");
  expect(await refusal(open(ada, "192.168.1.11"))).toContain("invalid: This machine no longer has");
  expect(await refusal(closeNetwork(asked(ada)))).toContain(
    "state: The app already listens on this machine only",
  );
  expect(readdirSync(dir)).toEqual(["launcher.json"]);

  const { id } = await open(ada);
  expect(statSync(files.request).mode & 0o777).toBe(0o600);
  const request = LauncherRequest.parse(JSON.parse(readFileSync(files.request, "utf8")));
  expect(request).toMatchObject({ id, nonce, action: "open", address: OWN.address, first });
  expect(readdirSync(dir).sort()).toEqual(["launcher.json", "request.json"]);

  note({ may: "close", last: { id, problem: null } });
  expect(await getNetwork(asked(ada))).toMatchObject({
    may: "close",
    addresses: [],
    last: { id, problem: null },
  });
  const closing = await closeNetwork(asked(ada));
  expect(JSON.parse(readFileSync(files.request, "utf8"))).toMatchObject({ id: closing.id, action: "close" });
});

it("tells the machine's addresses to who may choose one, and to nobody else", async () => {
  note();
  expect(await getNetwork(asked(ada))).toMatchObject({ may: "open", addresses: [OWN] });
  for (const other of [asked(ada, false), asked(eve)])
    expect(await getNetwork(other)).toMatchObject({ may: null, addresses: [], last: null });
  const without = { ...asked(ada).input, launcher: null };
  expect(await getNetwork({ ctx: ada.ctx, input: without })).toMatchObject({ may: null, archives: [] });
});

it("takes no word of a launcher that has ended, or of a file that is none", async () => {
  // No system gives out so high a number.
  note({ pid: 2 ** 30 });
  expect((await getNetwork(asked(ada))).may).toBeNull();
  for (const text of ["", "{}", "x".repeat(100_000)]) {
    writeFileSync(files.note, text);
    expect((await getNetwork(asked(ada))).may).toBeNull();
  }
});

it("shows how far the archives are, and what an ended build has left", async () => {
  const builds = [
    { target: first, state: "ready", began_at: "2026-11-25T12:00:00.000Z", took_s: 480 },
    {
      target: "x86_64-unknown-linux-musl",
      state: "building",
      began_at: "2026-11-25T12:08:00.000Z",
      took_s: null,
    },
  ] as const;
  const write = (pid: number) =>
    writeFileSync(
      files.archives,
      JSON.stringify(Archives.parse({ schema: 1, pid, held: true, builds: [...builds] })),
    );
  write(process.pid);
  const { archives, held } = await getNetwork(asked(ada));
  expect([archives, held]).toEqual([builds, true]);
  write(2 ** 30);
  const ended = await getNetwork(asked(ada));
  expect(ended.archives.map(({ state }) => state)).toEqual(["ready", "stopped"]);
  expect(ended.held).toBe(false);
});

it("offers private addresses of the machine, those of its containers last", () => {
  const of = (address: string, internal = false) => ({
    ...{ address, internal, netmask: "255.255.255.0", mac: "", cidr: null },
    family: "IPv4" as const,
  });
  const six = { ...of("fd00::1"), family: "IPv6" as const, scopeid: 0 };
  expect(
    privateAddresses({
      lo: [of("127.0.0.1", true)],
      docker0: [of("172.17.0.1")],
      wlan0: [of("192.168.1.10"), six],
      eth0: [of("203.0.113.7"), of("172.32.0.1")],
      tailscale0: [of("100.101.102.103")],
    }),
  ).toEqual([
    { address: "192.168.1.10", interface: "wlan0" },
    { address: "100.101.102.103", interface: "tailscale0" },
    { address: "172.17.0.1", interface: "docker0" },
  ]);
});
