import type { RecordOf, Scenario } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { getRun, getServer, listServers } from "../src/index";
import {
  CATALOGUE,
  FACTS,
  type JournalOptions,
  packChunks,
  SCENARIO,
  SPEC,
  writeJournal,
} from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();

interface Odd extends Partial<JournalOptions> {
  repeats?: number;
  /** What is odd about the n-th trial of epoll. */
  trial?: (data: RecordOf<"trial">["data"], n: number) => void;
}

async function measure(
  owner: Person,
  agent: Awaited<ReturnType<typeof world.host>>,
  rate: number,
  { repeats = SPEC.repeats, trial, ...odd }: Odd = {},
) {
  const { runId, lease } = await leasedRun(owner, agent, { ...SPEC, repeats });
  await beginAttempt(agent.ctx, lease);
  const records = writeJournal(lease, {
    facts: FACTS,
    scenarios: [SCENARIO],
    rates: { nginx: 10_000, epoll: rate },
    ...odd,
  });
  const mine = records.flatMap((r) => (r.kind === "trial" && r.data.position === 1 ? [r.data] : []));
  for (const [n, data] of mine.entries()) trial?.(data, n);
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  return runId;
}

describe("the servers of a workspace", () => {
  it("are those of its hosts, each once, with the hosts on which they work", async () => {
    const ada = await world.person("Ada");
    expect(await listServers({ ctx: ada.ctx, input: { workspace: ada.workspace } })).toEqual([]);
    await world.host(ada);
    await world.host(ada);
    const list = await listServers({ ctx: ada.ctx, input: { workspace: ada.workspace } });
    expect(list.map((s) => s.name).sort()).toEqual(CATALOGUE.servers.map((s) => s.name).sort());
    expect(list.find((s) => s.name === "epoll")?.hosts).toEqual({ total: 2, supported: 2 });
    expect(list.find((s) => s.name === "io-uring")?.hosts).toEqual({ total: 2, supported: 0 });
  });

  it("have the best of their verified results: medians of the run in which the scenario went best", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    await measure(ada, agent, 14_000);
    const best = await measure(ada, agent, 21_000);
    await measure(ada, agent, 12_000);
    const view = await getServer({ ctx: ada.ctx, input: { workspace: ada.workspace, server: "epoll" } });
    expect(view.hosts).toMatchObject([{ host_id: agent.hostId, supported: true }]);
    expect(view.best).toHaveLength(1);
    const [first] = view.best;
    expect(first).toMatchObject({
      run_id: best,
      scenario: SCENARIO.id,
      trials: SPEC.repeats,
      label: "epoll",
    });
    const seen = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId: best } });
    const summary = seen.summary?.scenarios[0]?.entries.find((e) => e.requests_per_s && e.rank === 1);
    expect(first?.requests_per_s).toBeCloseTo(summary?.requests_per_s?.median ?? Number.NaN, 6);
  });

  it("are bounds where the tool was the bottleneck in half of the trials, as on the run's own page", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    await measure(ada, agent, 14_000, {
      repeats: 4,
      trial: (t, n) => {
        if (n < 2) t.limit = "generator-bound";
      },
    });
    const { best } = await getServer({ ctx: ada.ctx, input: { workspace: ada.workspace, server: "epoll" } });
    expect(best).toMatchObject([{ trials: 4, lower_bound: true }]);
  });

  it("have no run in which the server failed verification, however fast it was", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const good = await measure(ada, agent, 14_000);
    await measure(ada, agent, 90_000, { broken: { epoll: "Half of the body was missing." } });
    const { best } = await getServer({ ctx: ada.ctx, input: { workspace: ada.workspace, server: "epoll" } });
    expect(best.map((b) => b.run_id)).toEqual([good]);
  });

  describe("at a fixed rate", () => {
    const fixed: Scenario = {
      ...SCENARIO,
      load: { kind: "rate", rate_per_s: 10_000, connections: 32, keep_alive: true },
    };
    const at = (p99s: number[], dropped = 0): Odd => ({
      scenarios: [fixed],
      repeats: p99s.length,
      trial: (t, n) => {
        if (!t.result?.latency) throw new Error("a trial without latency");
        t.result.requests = 30_000 - dropped;
        t.result.offered = { rate_per_s: 10_000, requests: 30_000, dropped };
        t.result.latency.percentiles = [{ p: 99, us: p99s[n] ?? 0 }];
      },
    });

    it("have a p99 that a trial had, never a mean of two", async () => {
      const ada = await world.person("Ada");
      await measure(ada, await world.host(ada), 10_000, at([100, 200, 400, 800]));
      const view = await getServer({ ctx: ada.ctx, input: { workspace: ada.workspace, server: "epoll" } });
      expect(view.best.map((b) => b.p99_us)).toEqual([200]);
    });

    it("have no p99 of a run that did not sustain the rate", async () => {
      const ada = await world.person("Ada");
      const agent = await world.host(ada);
      await measure(ada, agent, 10_000, at([500, 500, 500]));
      await measure(ada, agent, 10_000, at([100, 100, 100], 3000));
      const view = await getServer({ ctx: ada.ctx, input: { workspace: ada.workspace, server: "epoll" } });
      expect(view.best.map((b) => b.p99_us)).toEqual([500]);
    });

    it("go by processor time where the scenario is judged by it", async () => {
      const ada = await world.person("Ada");
      const agent = await world.host(ada);
      const cpu = (us: number, p99: number): Odd => {
        const load = at([p99, p99, p99]);
        return {
          ...load,
          scenarios: [{ ...fixed, judged_by: "cpu_us_per_request" }],
          trial: (t, n) => {
            load.trial?.(t, n);
            if (t.resources) t.resources.server_cpu_us = us * 30_000;
          },
        };
      };
      await measure(ada, agent, 10_000, cpu(10, 900));
      await measure(ada, agent, 10_000, cpu(20, 100));
      const view = await getServer({ ctx: ada.ctx, input: { workspace: ada.workspace, server: "epoll" } });
      expect(view.best.map((b) => b.cpu_us_per_request)).toEqual([10]);
    });
  });

  it("has no results of others, and nothing for an unknown name", async () => {
    const [ada, eve] = [await world.person("Ada"), await world.person("Eve")];
    await measure(ada, await world.host(ada), 14_000);
    await world.host(eve);
    const mine = await getServer({ ctx: eve.ctx, input: { workspace: eve.workspace, server: "epoll" } });
    expect(mine.best).toEqual([]);
    const unknown = getServer({ ctx: eve.ctx, input: { workspace: eve.workspace, server: "apache" } });
    await expect(unknown).rejects.toMatchObject({ code: "not_found" });
  });
});
