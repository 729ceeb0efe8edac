import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Agent } from "../src/agent";
import { type Member, member } from "../src/client";
import { env, inherited } from "../src/env";
import { expectMeasured } from "../src/measured";
import { finish } from "../src/process";

const GOVERNOR = "sys/devices/system/cpu/cpufreq/policy0/scaling_governor";
const ASLR = "proc/sys/kernel/randomize_va_space";

/** A queued run may be tuned on a host whose owner allows it there, and on no other. Files stand in the machine's place. */
describe.runIf(process.platform === "linux")("tuning by a queued run", () => {
  const url = inject("url");
  const dir = join(inject("dir"), "tune");
  const machine = join(dir, "machine");
  const setting = (file: string): string => readFileSync(join(machine, file), "utf8").trim();
  const host = (more: NodeJS.ProcessEnv): Agent =>
    new Agent(dir, "host", { command: [env.RIGMARK_AGENT], env: { RIGMARK_SYSROOT: machine, ...more } });
  let agent = host({});
  let ada: Member;
  let token: string;
  let hostId: string;

  const queue = (...more: string[]) =>
    finish(
      env.RIGMARK_AGENT,
      [
        ...["queue", "--host=tuned", "--server=epoll", "--scenario=plaintext-loadgen", "--tune"],
        ...["--repeats=1", "--duration=300ms", "--warmup=0s", ...more],
      ],
      {
        cwd: dir,
        env: {
          ...inherited,
          RIGMARK_STATE: join(dir, "client"),
          RIGMARK_URL: url,
          RIGMARK_TOKEN: token,
          RIGMARK_WORKSPACE: ada.workspace,
        },
      },
    );
  /** Undefined until the agent has said what the host can do. */
  const allowed = async () => {
    const options = await ada.trpc.run.options.query({ workspace: ada.workspace, hostId });
    return options.servers.length > 0 ? options.tune : undefined;
  };

  beforeAll(async () => {
    const files = {
      [GOVERNOR]: "ondemand",
      [ASLR]: "2",
      "proc/sys/kernel/random/boot_id": "one boot",
      "proc/stat": "cpu  1000 0 1000 1000 0 0 0 0 0 0",
    };
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(machine, file)), { recursive: true });
      writeFileSync(join(machine, file), `${text}\n`);
    }
    for (const path of ["proc/cpuinfo", "proc/loadavg", "proc/meminfo", "etc", "usr"])
      symlinkSync(`/${path}`, join(machine, path));
    ada = await member(url);
    const asked = { workspace: null, name: "CI", scopes: ["queue" as const], days: 30 as const };
    token = (await ada.trpc.token.create.mutate(asked)).token;
    const { key } = await ada.trpc.host.createEnrollment.mutate({ workspace: ada.workspace, name: "tuned" });
    const enrolled = await agent.run(["enroll", "--url", url, "--key", key, "--json"]);
    expect(enrolled.code, enrolled.stderr).toBe(0);
    hostId = (JSON.parse(enrolled.stdout) as { host_id: string }).host_id;
    agent.start();
  });
  afterAll(() => agent.stop());

  it("is refused where the owner allows nothing", async () => {
    await expect.poll(allowed, { interval: 500 }).toBeNull();
    const refused = await queue();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("The owner of this host does not allow tuning");
  });

  it("sets what the owner allows for the time of the run, and puts it back", async () => {
    await agent.stop();
    agent = host({ RIGMARK_ALLOW_TUNE: "1" });
    agent.start();
    await expect
      .poll(allowed, { interval: 500 })
      .toEqual({ sets: ["CPU governor", "address space randomization"], missing: [] });
    const done = await queue("--wait", "--json");
    const { run } = JSON.parse(done.stdout) as { run: { id: string } };
    const log = readFileSync(join(dir, "host.log"), "utf8");
    const page = await ada.trpc.run.get.query({ workspace: ada.workspace, runId: run.id });
    expectMeasured(page, `${done.stderr}\n${log}`);
    expect(log).toContain("While they run, runs from the app may set: CPU governor, address space");
    const { labels, repeat_command } = page;
    const tuned = labels.find(({ code }) => code === "tuned");
    expect(tuned?.message).toContain("CPU governor performance (was ondemand)");
    expect(repeat_command).toContain("--tune");
    expect([setting(GOVERNOR), setting(ASLR)]).toEqual(["ondemand", "2"]);
  });
});
