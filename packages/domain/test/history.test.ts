import { expect, it } from "vitest";
import { getHistory, listHistory } from "../src/index";
import { FACTS, type JournalOptions, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, type Person, sendChunk, useWorld } from "./world";

const world = useWorld();

type Agent = Awaited<ReturnType<typeof world.host>>;

async function measure(owner: Person, agent: Agent, rates: JournalOptions["rates"]): Promise<string> {
  const { runId, lease } = await leasedRun(owner, agent, SPEC);
  await beginAttempt(agent.ctx, lease);
  const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates }), 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  return runId;
}

const history = (owner: Person, agent: Agent, relativeTo?: string | null) =>
  getHistory({
    ctx: owner.ctx,
    input: {
      workspace: owner.workspace,
      hostId: agent.hostId,
      scenario: SCENARIO.id,
      label: "epoll",
      relativeTo,
    },
  });

it("a series has a point a run, and the change of a step with the run that began it", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const runs: string[] = [];
  // The host is half as fast in every other run; the ratio does not see it.
  for (let place = 0; place < 14; place += 1) {
    const host = place % 2 === 0 ? 1 : 2;
    const epoll = (place < 7 ? 2_000 : 3_000) + place;
    runs.push(await measure(ada, agent, { nginx: 1_000 * host, epoll: epoll * host }));
  }
  const view = await history(ada, agent);
  expect(view).toMatchObject({ relative_to: "nginx", others: ["nginx"], metric: "requests_per_s" });
  expect(view.points.map((point) => point.run_id)).toEqual(runs);
  expect(view.points[0]?.value).toBeCloseTo(2, 1);
  const [first] = view.points;
  expect(first && first.low !== null && first.high !== null && first.low <= first.high).toBe(true);
  expect(view.changes).toHaveLength(1);
  expect(view.changes[0]).toMatchObject({ at: 7, verdict: "faster" });
  expect(view.changes[0]?.ratio).toBeCloseTo(1.5, 1);
  const figures = await history(ada, agent, null);
  expect(figures.relative_to).toBe(null);
  expect(figures.points[1]?.value).toBeGreaterThan(3_500);
  expect((await history(ada, agent, "nobody")).points.every((point) => point.value === null)).toBe(true);
});

it("what was measured twice is listed, and belongs to one workspace", async () => {
  const [ada, eve] = [await world.person("Ada"), await world.person("Eve")];
  const agent = await world.host(ada);
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  const list = (person: Person) => listHistory({ ctx: person.ctx, input: { workspace: person.workspace } });
  expect(await list(ada)).toEqual([]);
  await measure(ada, agent, { nginx: 1_000, epoll: 2_000 });
  expect((await list(ada)).map((s) => [s.label, s.runs])).toEqual([
    ["epoll", 2],
    ["nginx", 2],
  ]);
  expect(await list(eve)).toEqual([]);
  await expect(history(eve, agent)).rejects.toThrow();
});
