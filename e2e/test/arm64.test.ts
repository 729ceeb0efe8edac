import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { Agent, type AgentProgram } from "../src/agent";
import { type Member, member } from "../src/client";
import { env, root } from "../src/env";
import { expectMeasured } from "../src/measured";
import { finish } from "../src/process";
import { endAtFirstFailure } from "../src/steps";

const EMULATOR = "qemu-aarch64-static";
const archives = existsSync(env.RIGMARK_RELEASE) ? readdirSync(env.RIGMARK_RELEASE) : [];
const packed = archives.filter((name) =>
  /^(rigmark|servers)-.*aarch64-unknown-linux-\w+\.tar\.gz$/.test(name),
);

/** The release for a Raspberry Pi, under user-mode emulation: it enrolls, leases, measures and reports. */
describe.skipIf(packed.length === 0)("the packed aarch64 agent", () => {
  endAtFirstFailure();
  const url = inject("url");
  const dir = join(inject("dir"), "arm64");
  const program: AgentProgram = {
    command: [EMULATOR, join(dir, "bin/rigmark")],
    env: { RIGMARK_EXEC_PREFIX: EMULATOR, RIGMARK_K6: join(root, ".rig/tools/k6") },
  };
  const agent = new Agent(dir, "state", program);
  /** No compiler is found there, as on a fresh Pi. */
  const bare: AgentProgram = { ...program, env: { ...program.env, PATH: join(dir, "path") } };
  let ada: Member;

  beforeAll(async () => {
    for (const name of packed) {
      const archive = join(env.RIGMARK_RELEASE, name);
      mkdirSync(dir, { recursive: true });
      const tar = await finish("tar", ["-xzf", archive, "-C", dir, "--strip-components=1"]);
      expect(tar.stderr).toBe("");
    }
    mkdirSync(join(dir, "path"));
    const where = await finish("sh", ["-c", `command -v ${EMULATOR}`]);
    symlinkSync(where.stdout.trim(), join(dir, "path", EMULATOR));
    ada = await member(url);
  });
  afterAll(() => agent.stop());

  it("is static", async () => {
    const { stdout } = await finish("file", [join(dir, "bin/rigmark")]);
    expect(stdout).toMatch(/ARM aarch64/);
    expect(stdout).toMatch(/statically linked|static-pie linked/);
  });

  it("takes the prebuilt program where there is no compiler", async () => {
    const { code, stdout, stderr } = await new Agent(dir, "bare", bare).run(["build", "asm", "--json"]);
    expect(code, stderr).toBe(0);
    const { builds } = JSON.parse(stdout) as { builds: { build_dir: string }[] };
    const built = await finish("file", [join(builds[0]?.build_dir ?? "", "asm")]);
    expect(built.stdout).toMatch(/ARM aarch64.*statically linked/);
  });

  it("enrolls, takes a run, delivers every record", async () => {
    const { key } = await ada.trpc.host.createEnrollment.mutate({ workspace: ada.workspace, name: "pi" });
    expect(await agent.run(["enroll", "--url", url, "--key", key, "--json"])).toMatchObject({ code: 0 });
    const running = agent.start();
    const [host] = await expectHosts(ada);
    if (!host) throw new Error("no host");
    // Under emulation it takes a while to say what it can run; until then the app refuses.
    const choices = { workspace: ada.workspace, hostId: host.host_id };
    await vi.waitFor(
      async () => {
        if ((await ada.trpc.run.options.query(choices)).servers.length === 0)
          throw new Error("no servers yet");
      },
      { timeout: 240_000, interval: 500 },
    );
    const { run_id } = await ada.trpc.run.create.mutate({
      workspace: ada.workspace,
      hostId: host.host_id,
      spec: {
        schema: 1,
        title: "under emulation",
        entries: [{ label: "epoll", server: "epoll", options: {} }],
        scenarios: ["static-1k-ab"],
        repeats: 1,
        duration_s: 1,
        warmup_s: 0,
        baseline: null,
        seed: 1,
      },
    });
    await expect
      .poll(async () => (await ada.trpc.run.get.query({ workspace: ada.workspace, runId: run_id })).final, {
        timeout: 540_000,
        interval: 500,
      })
      .toBe(true);
    const run = await ada.trpc.run.get.query({ workspace: ada.workspace, runId: run_id });
    // Where its trial does not count, its records are there all the same.
    expectMeasured(run, running.lines.slice(-10).join("\n"));
    expect(run.missing).toEqual([]);
    expect(run.environment?.facts.arch).toBe("aarch64");
  });
});

async function expectHosts(ada: Member) {
  await expect
    .poll(
      async () => {
        const [host] = await ada.trpc.host.list.query({ workspace: ada.workspace });
        return host?.online === true && host.checks !== null;
      },
      { timeout: 240_000, interval: 250 },
    )
    .toBe(true);
  return ada.trpc.host.list.query({ workspace: ada.workspace });
}
