import { readFileSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { type Member, member } from "../src/client";
import { cutProxy } from "../src/cut-proxy";
import { env, inherited, root } from "../src/env";
import { drawn, manyTrials } from "../src/many-trials";
import { finish, run } from "../src/process";

const RECORDING = join(root, "e2e/fixtures/two-servers.jsonl");

/** A fifth of the whole one, still in many chunks: each is sent, read and stored for another cut. */
const CUT_BLOCKS = 20;

/** The real program publishes to the real app, and is cut off at moments that a seed draws. */
describe("publishing a run of 1,000 trials", () => {
  const url = inject("url");
  const dir = join(inject("dir"), "publish");
  const recording = readFileSync(RECORDING, "utf8");
  let ada: Member;
  let token: string;
  /** Bytes from the client to the app for one whole publication. */
  let all = 0;
  const published: string[] = [];
  const figures: object[] = [];

  beforeAll(async () => {
    await mkdir(dir, { recursive: true });
    ada = await member(url);
    const made = await ada.trpc.token.create.mutate({
      workspace: null,
      name: "publish",
      scopes: ["publish", "queue"],
      days: 30,
    });
    token = made.token;
  });
  afterAll(() => {
    if (env.RIGMARK_CUTS > 4) process.stderr.write(`${figures.map((f) => JSON.stringify(f)).join("\n")}\n`);
  });

  const environment = (at: string) => ({
    ...inherited,
    XDG_CONFIG_HOME: join(dir, "config"),
    RIGMARK_STATE: join(dir, "state"),
    RIGMARK_URL: at,
    RIGMARK_TOKEN: token,
  });
  const args = (file: string) => ["publish", file, "--workspace", ada.workspace, "--json"];
  const publish = (at: string, file: string) =>
    finish(env.RIGMARK_AGENT, args(file), { env: environment(at) });
  const api = async (path: string) => {
    const response = await fetch(`${url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(response.status, path).toBe(200);
    return response.json();
  };

  function fileOf(seed: number, blocks: number) {
    const made = manyTrials(recording, seed, 10, blocks);
    const file = join(dir, `${seed}.jsonl`);
    writeFileSync(file, made.text);
    published.push(made.runId);
    return { ...made, file };
  }

  async function expectWhole(runId: string, whole: number) {
    expect(await api(`runs/${runId}`)).toMatchObject({
      state: "succeeded",
      published_by: ada.person.name,
      failure: null,
    });
    let trials = 0;
    let cursor: string | null = null;
    do {
      const page: { items: { state: string }[]; next_cursor: string | null } = await api(
        `runs/${runId}/trials?limit=100${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`,
      );
      expect(page.items.every((t) => t.state === "valid")).toBe(true);
      trials += page.items.length;
      cursor = page.next_cursor;
    } while (cursor);
    expect(trials).toBe(whole);
    const { runs } = await ada.trpc.run.list.query({ workspace: ada.workspace, limit: 100 });
    expect(runs.map((r) => r.run_id).sort()).toEqual([...published].sort());
  }

  it("brings all of it, and says so when it is there already", async () => {
    const { runId, file, trials } = fileOf(0, 100);
    const proxy = await cutProxy(url, Number.POSITIVE_INFINITY, () => undefined);
    const first = await publish(proxy.url, file);
    all = proxy.passed();
    await proxy.stop();
    expect(first.code, first.stderr).toBe(0);
    expect(JSON.parse(first.stdout)).toMatchObject({ run_id: runId, already: false, state: "succeeded" });
    expect(trials).toBe(1000);
    await expectWhole(runId, trials);
    const again = await publish(url, file);
    expect(again.code, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout)).toMatchObject({ already: true, chunks: { sent: 0 } });
    const response = await fetch(`${url}/w/${ada.workspace}/runs/${runId}`, {
      headers: { cookie: ada.cookie },
    });
    expect(await response.text()).toContain("not queued here");
  });

  for (let cut = 1; cut <= env.RIGMARK_CUTS; cut += 1) {
    const killed = cut % 2 === 1;
    it(`cut off at moment ${cut} (${killed ? "the program is killed" : "the connection breaks"}) ends in one run, whole`, async () => {
      const { runId, file, trials } = fileOf(cut, CUT_BLOCKS);
      const at = Math.floor((drawn(`cut ${cut}`) * all * CUT_BLOCKS) / 100);
      let kill: () => void = () => undefined;
      const proxy = await cutProxy(url, at, () => killed && kill());
      const client = run(env.RIGMARK_AGENT, args(file), { env: environment(proxy.url) });
      kill = () => client.child.kill("SIGKILL");
      const code = await client.exited;
      const before = proxy.passed();
      let after = 0;
      if (code !== 0) {
        expect(killed, client.lines.join("\n")).toBe(true);
        const again = await cutProxy(url, Number.POSITIVE_INFINITY, () => undefined);
        const went = await publish(again.url, file);
        expect(went.code, went.stderr).toBe(0);
        after = again.passed();
        await again.stop();
      }
      await proxy.stop();
      figures.push({
        cut,
        how: killed ? "kill" : "connection",
        at_bytes: at,
        of_bytes: Math.floor((all * CUT_BLOCKS) / 100),
        sent: before + after,
      });
      await expectWhole(runId, trials);
    });
  }
});
