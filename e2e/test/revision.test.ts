import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { JournalRecord } from "@rigmark/protocol";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { Agent } from "../src/agent";
import { type Member, member } from "../src/client";
import { env, inherited, root } from "../src/env";
import { expectMeasured } from "../src/measured";
import { finish } from "../src/process";

/** A pull request measured on a host of the workspace: the host has a clone of the repository, and its owner allows fetching. */
describe("two commits of a server that a host has in a git clone", () => {
  const url = inject("url");
  const dir = join(inject("dir"), "revision");
  const forge = join(dir, "forge");
  const clone = join(dir, "clone");
  const config = join(dir, "config");
  const host = new Agent(dir, "host", { command: [env.RIGMARK_AGENT], env: { XDG_CONFIG_HOME: config } });
  const commits: Record<string, string> = {};
  let ada: Member;
  let token: string;

  async function git(cwd: string, ...args: string[]): Promise<string> {
    const who = ["-c", "user.name=t", "-c", "user.email=t@example.org"];
    const done = await finish("git", [...who, ...args], {
      cwd,
      env: { ...inherited, GIT_CONFIG_GLOBAL: "/dev/null", GIT_DIR: undefined, GIT_WORK_TREE: undefined },
    });
    expect(done.code, `${args.join(" ")}: ${done.stderr}`).toBe(0);
    return done.stdout.trim();
  }
  async function commit(text: string): Promise<string> {
    writeFileSync(join(forge, "server/NOTES"), text);
    await git(forge, "add", "--all");
    await git(forge, "commit", "--quiet", "-m", text);
    return git(forge, "rev-parse", "HEAD");
  }
  const rigmark = (...args: string[]) =>
    finish(env.RIGMARK_AGENT, args, {
      // Not this repository's commit.
      cwd: dir,
      env: {
        ...inherited,
        XDG_CONFIG_HOME: join(dir, "nobody"),
        RIGMARK_STATE: join(dir, "client"),
        RIGMARK_URL: url,
        RIGMARK_TOKEN: token,
        RIGMARK_WORKSPACE: ada.workspace,
      },
    });
  const queue = (base: string, head: string, ...more: string[]) => {
    const servers = [`--server=base=${base}`, `--server=head=${head}`, "--scenario=plaintext-loadgen"];
    const short = ["--repeats=1", "--duration=300ms", "--warmup=0s"];
    return rigmark("queue", "--host=clone", ...servers, ...short, ...more);
  };

  beforeAll(async () => {
    mkdirSync(join(forge, "server"), { recursive: true });
    cpSync(join(root, "servers/epoll"), join(forge, "server"), {
      recursive: true,
      filter: (path) => !path.endsWith("/build"),
    });
    const manifest = join(forge, "server/server.toml");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('name = "epoll"', 'name = "hello"'));
    await git(forge, "init", "--quiet", "--initial-branch=main");
    commits.base = await commit("base");
    await git(dir, "clone", "--quiet", forge, clone);
    // What comes later is not in the clone.
    await git(forge, "checkout", "--quiet", "-b", "change");
    commits.head = await commit("head");
    mkdirSync(join(config, "rigmark/servers"), { recursive: true });
    symlinkSync(join(clone, "server"), join(config, "rigmark/servers/hello"));

    ada = await member(url);
    const made = await ada.trpc.token.create.mutate({
      workspace: null,
      name: "CI",
      scopes: ["queue"],
      days: 30,
    });
    token = made.token;
    const { key } = await ada.trpc.host.createEnrollment.mutate({ workspace: ada.workspace, name: "clone" });
    const enrolled = await host.run(["enroll", "--url", url, "--key", key, "--json"]);
    expect(enrolled.code, enrolled.stderr).toBe(0);
    host.start();
  });
  afterAll(() => host.stop());

  it("are not fetched unless the clone's owner allows it", async () => {
    // Until the agent has said what the host can do.
    await expect
      .poll(async () => (await queue("gone", "gone")).stderr, { interval: 500 })
      .toMatch(/no server "gone"; it has .*hello/);
    const refused = await queue("hello@main", `hello@${commits.head}`, "--wait");
    expect(refused.code, refused.stderr).toBe(1);
    expect(refused.stderr).toContain("and its owner lets nothing be fetched");
    expect(refused.stderr).toContain("config rigmark.fetch origin");
    const bundled = await queue("epoll@main", "hello");
    expect(bundled.code, bundled.stderr).toBe(2);
    expect(bundled.stderr).toContain("The host takes no commit for epoll");
  });

  it("are measured, and page, file and report have the commits", async () => {
    await git(clone, "config", "rigmark.fetch", "origin");
    const file = join(dir, "result.jsonl");
    const out = ["--wait", `--out=${file}`, "--json"];
    const waited = await queue("hello@origin/main", `hello@${commits.head}`, ...out);
    const { run } = JSON.parse(waited.stdout) as { run: { id: string } };
    const page = await ada.trpc.run.get.query({ workspace: ada.workspace, runId: run.id });
    expectMeasured(page, `${waited.stderr}\n${readFileSync(join(dir, "host.log"), "utf8")}`);
    expect(page.entries.map((e) => [e.label, e.server, e.revision])).toEqual([
      ["base", "hello", { commit: commits.base, ref: "origin/main", dirty: false, folder: "server" }],
      ["head", "hello", { commit: commits.head, ref: commits.head, dirty: false, folder: "server" }],
    ]);
    const html = await fetch(`${url}/w/${ada.workspace}/runs/${run.id}`, { headers: { cookie: ada.cookie } });
    expect(await html.text()).toContain(commits.head?.slice(0, 12));

    const records = readFileSync(file, "utf8").trimEnd().split("\n");
    const kinds = records.map((line) => JournalRecord.parse(JSON.parse(line)).kind);
    expect([kinds[0], kinds.at(-1)]).toEqual(["begin", "result"]);
    const report = await rigmark("report", file, "--md");
    expect(report.code, report.stderr).toBe(0);
    expect(report.stdout).toContain(`commit ${commits.head?.slice(0, 12)}`);
    expect(await git(clone, "branch", "--all", "--contains", "main")).not.toContain("change");
  });

  it("come to the Action's result from a runner that has no checkout", async () => {
    const runner = join(dir, "runner");
    mkdirSync(join(runner, "bin"), { recursive: true });
    symlinkSync(env.RIGMARK_AGENT, join(runner, "bin/rigmark"));
    const done = await finish(join(root, "deploy/action/measure.sh"), [], {
      cwd: runner,
      env: {
        PATH: `${join(runner, "bin")}:${inherited.PATH}`,
        HOME: runner,
        GITHUB_OUTPUT: join(runner, "output"),
        GITHUB_STEP_SUMMARY: join(runner, "summary.md"),
        RIGMARK_HOST: "clone",
        RIGMARK_URL: url,
        RIGMARK_TOKEN: token,
        RIGMARK_WORKSPACE: ada.workspace,
        RIGMARK_SERVER: "hello",
        RIGMARK_BASE: commits.base,
        RIGMARK_HEAD: commits.head,
        RIGMARK_SCENARIOS: "plaintext-loadgen",
        RIGMARK_BLOCKS: "1",
        RIGMARK_DURATION: "300ms",
        RIGMARK_PULL_REQUEST: "7",
      },
    });
    const result = (name: string) => readFileSync(join(runner, "rigmark-result", name), "utf8");
    const run = result("run").trim();
    const page = await ada.trpc.run.get.query({ workspace: ada.workspace, runId: run });
    expectMeasured(page, done.stderr);
    expect(done.code, done.stderr).toBe(page.state === "succeeded" ? 0 : 1);
    expect(JSON.parse(result("result.jsonl").split("\n")[0] ?? "").data.run_id).toBe(run);
    expect(result("report.html")).toContain(commits.head?.slice(0, 12));
    expect(result("pull-request")).toBe("7\n");
    expect(readFileSync(join(runner, "summary.md"), "utf8")).toContain("plaintext");
    expect(readFileSync(join(runner, "output"), "utf8")).toContain(`run=${run}`);
  });
});
