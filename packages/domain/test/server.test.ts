import { describe, expect, it } from "vitest";
import { run, server } from "../src/index";
import { CATALOGUE, FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { finishAttempt, leasedRun, type Person, putChunk, startAttempt, useWorld } from "./world";

const world = useWorld();

async function measure(owner: Person, agent: Awaited<ReturnType<typeof world.host>>, rate: number) {
  const { runId, lease } = await leasedRun(owner, agent);
  await startAttempt(agent.ctx, lease);
  const records = writeJournal(lease, {
    facts: FACTS,
    scenarios: [SCENARIO],
    rates: { nginx: 10_000, epoll: rate },
  });
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await putChunk(agent.ctx, lease, chunk);
  await finishAttempt(agent.ctx, lease, chunks);
  return runId;
}

describe("the servers of a workspace", () => {
  it("are those of its hosts, each once, with the hosts on which they work", async () => {
    const ada = await world.person("Ada");
    expect(await server.list({ ctx: ada.ctx, input: { workspace: ada.workspace } })).toEqual([]);
    await world.host(ada);
    await world.host(ada);
    const list = await server.list({ ctx: ada.ctx, input: { workspace: ada.workspace } });
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
    const view = await server.get({ ctx: ada.ctx, input: { workspace: ada.workspace, server: "epoll" } });
    expect(view.hosts).toMatchObject([{ host_id: agent.hostId, supported: true }]);
    expect(view.best).toHaveLength(1);
    const [first] = view.best;
    expect(first).toMatchObject({
      run_id: best,
      scenario: SCENARIO.id,
      trials: SPEC.repeats,
      label: "epoll",
    });
    const seen = await run.get({ ctx: ada.ctx, input: { workspace: ada.workspace, runId: best } });
    const summary = seen.summary?.scenarios[0]?.entries.find((e) => e.requests_per_s && e.rank === 1);
    expect(first?.requests_per_s).toBeCloseTo(summary?.requests_per_s?.median ?? Number.NaN, 6);
  });

  it("has no results of others, and nothing for an unknown name", async () => {
    const [ada, eve] = [await world.person("Ada"), await world.person("Eve")];
    await measure(ada, await world.host(ada), 14_000);
    await world.host(eve);
    const mine = await server.get({ ctx: eve.ctx, input: { workspace: eve.workspace, server: "epoll" } });
    expect(mine.best).toEqual([]);
    const unknown = server.get({ ctx: eve.ctx, input: { workspace: eve.workspace, server: "apache" } });
    await expect(unknown).rejects.toMatchObject({ code: "not_found" });
  });
});
