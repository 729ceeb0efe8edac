import { join } from "node:path";
import { expect, test } from "vitest";
import { env } from "../src/env";
import { archives, fixture, HOST_ID, k6, linux, type Report, stubs, target } from "./install/fixture";

const f = fixture();
// Its own: command lines of the whole machine are looked at, and another test gives its key in one.
const KEY = `rgme_${"steps".repeat(9).slice(0, 43)}`;
const generator = `k6-1.0.0-${k6}.tar.gz`;
const line = ({ body }: Report) => `${body.step} ${body.state}`;
const install = (key = KEY, args: string[] = [], more: Record<string, string> = {}) =>
  f.install(args, { RIGMARK_ENROLL_KEY: key, ...more });

test.runIf(linux)("each step is reported as it happens, with the key in no command line", async () => {
  const done = await install();
  expect(done.code, done.said).toBe(0);
  expect(f.reported.map(line)).toEqual([
    "started done",
    "downloaded done",
    "verified done",
    "agent-starts done",
    "installed done",
    "enrolled done",
    "service skipped",
  ]);
  const text = Object.fromEntries(f.reported.map(({ body }) => [body.step, body.text]));
  expect(text.started).toMatch(/^Linux on \w+$/);
  expect(text.downloaded).toBe(`rigmark-0.1.0-${target}.tar.gz, ${generator}`);
  expect(text.verified).toContain("are not signed");
  expect(text["agent-starts"]).toBe("rigmark 0.1.0");
  expect(text.service).toContain(`${f.prefix}/bin/rigmark agent`);
  expect(new Set(f.reported.map(({ bearer }) => bearer))).toEqual(new Set([KEY]));
  expect(f.reported.some(({ shown }) => shown)).toBe(false);
  expect(f.asked.join("\n")).not.toContain(KEY);
  // From the enrollment on the host says which it is.
  const hosts = f.reported.map(({ body }) => body.host_id);
  expect(hosts).toEqual([...Array(5).fill(undefined), HOST_ID, HOST_ID]);
});

test.runIf(linux)("an update and an enrollment that is kept say so", async () => {
  await install();
  f.reported = [];
  const done = await install(`rgme_${"n".repeat(43)}`);
  expect(done.code, done.said).toBe(0);
  expect(f.reported.map(line)).toEqual([
    "started done",
    "installed done",
    "enrolled skipped",
    "service skipped",
  ]);
  expect(f.reported[2]?.body.text).toContain("--replace");
});

const last = (): Report["body"] | undefined => f.reported.at(-1)?.body;

test.runIf(linux)("a failure names its step, with the sentence of the terminal", async () => {
  f.served[generator] = Buffer.concat([f.served[generator] ?? Buffer.alloc(0), Buffer.from("x")]);
  expect((await install()).code).toBe(1);
  expect(last()).toMatchObject({ step: "verified", state: "failed" });
  expect(last()?.text).toMatch(
    /^k6-\S+ is not what SHA256SUMS says; nothing was installed\. Run the same command again/,
  );

  f.served = archives(target, k6, "#!/no/such/loader\n");
  f.list();
  expect((await install()).code).toBe(1);
  expect(last()).toMatchObject({ step: "agent-starts", state: "failed" });
  expect(last()?.text).toContain("does not start on this machine");

  delete f.served.SHA256SUMS;
  expect((await install()).code).toBe(1);
  expect(last()).toMatchObject({ step: "downloaded", state: "failed" });
  expect(last()?.text).toContain("run ./rig release");
});

test.runIf(linux)("the agent's own sentence says why a host is not enrolled", async () => {
  const done = await install("rgme_used");
  expect(done.code).toBe(1);
  expect(done.said).toContain("This key was used before.");
  expect(last()).toEqual({ step: "enrolled", state: "failed", text: "This key was used before." });
});

test.runIf(linux)("a processor without an agent is reported, quotes and all", async () => {
  const uname = "case $1 in -s) echo Linux ;; *) echo 'risc\"v\\' ;; esac";
  stubs(join(f.dir, "stub"), { uname });
  const done = await install(KEY, [], { PATH: `${f.dir}/stub:${env.PATH}` });
  expect(done.code).toBe(77);
  expect(f.reported.map(line)).toEqual(["started failed"]);
  expect(last()?.text).toContain('no agent for the processor risc"v\\');
});

test.runIf(linux)("a signature that cannot be fetched is no reason left behind", async () => {
  const ours = `RW${"a".repeat(54)}`;
  const done = await f.install(["--replace-key"], { RIGMARK_ENROLL_KEY: "rgme_used" }, ours);
  expect(done.code).toBe(1);
  expect(f.reported.map(line)).toContain("verified done");
  expect(last()).toMatchObject({ step: "enrolled", text: "This key was used before." });
});

test.runIf(linux)("an app that refuses or never responds stops no installation", async () => {
  f.takes = "none";
  const refused = await install();
  expect(refused.code, refused.said).toBe(0);
  expect(f.reported).toHaveLength(7);
  f.takes = "silent";
  f.reported = [];
  const silent = await install(KEY, ["--replace"]);
  expect(silent.code, silent.said).toBe(0);
  // Two are waited for, and no more are tried.
  expect(f.reported).toHaveLength(2);
});

test.runIf(linux).each([
  ["a dry run", KEY, ["--dry-run"]],
  ["an installation without a key", "", []],
  ["one with a key that is none", 'rgme_x" quoted', []],
])("%s reports nothing", async (_, key, args) => {
  await install(key, args);
  expect(f.reported).toEqual([]);
});
