import { describe, expect, it } from "vitest";
import { FACTS, packChunks, SCENARIO, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();
const ROUNDS = 25;

describe("a chunk that arrives together with the end", () => {
  it("is either in before the end, which is then refused, or refused itself; never added to what was agreed", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    for (let round = 0; round < ROUNDS; round += 1) {
      const { lease } = await leasedRun(ada, agent);
      await beginAttempt(agent.ctx, lease);
      const all = packChunks(
        writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: { nginx: 10_000, epoll: 14_000 } }),
        60,
      );
      const [late, ...early] = [...all].reverse();
      if (!late) throw new Error("the journal is too short for this test");
      const sent = early.reverse();
      for (const chunk of sent) await sendChunk(agent.ctx, lease, chunk);
      const both = [endAttempt(agent.ctx, lease, sent), sendChunk(agent.ctx, lease, late)];
      if (round % 2) both.reverse();
      const outcomes = await Promise.allSettled(both);
      expect(outcomes.filter((o) => o.status === "fulfilled")).toHaveLength(1);
      // Whatever came first, the attempt ends in order before the next round leases.
      await endAttempt(agent.ctx, lease, all).catch(() => null);
      await endAttempt(agent.ctx, lease, sent).catch(() => null);
    }
  });
});

describe("an agent that gives up", () => {
  const begun = async (name: string) => {
    const ada = await world.person(name);
    const agent = await world.host(ada);
    const { lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const all = packChunks(
      writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: { nginx: 10_000, epoll: 14_000 } }),
      60,
    );
    return { agent, lease, all };
  };

  it("is believed when the response to its last chunk was lost, and says why the run failed", async () => {
    const { agent, lease, all } = await begun("Grace");
    for (const chunk of all.slice(0, 2)) await sendChunk(agent.ctx, lease, chunk);
    const end = endAttempt(agent.ctx, lease, all.slice(0, 1), "failed", [], {
      code: "undeliverable",
      message: "The disk of this host is gone.",
    });
    expect(await end).toEqual({ state: "failed" });
  });

  it("is not believed about what never arrived", async () => {
    const { agent, lease, all } = await begun("Hopper");
    for (const chunk of all.slice(0, 1)) await sendChunk(agent.ctx, lease, chunk);
    const end = endAttempt(agent.ctx, lease, all.slice(0, 2), "failed", [], {
      code: "undeliverable",
      message: "The disk of this host is gone.",
    });
    await expect(end).rejects.toMatchObject({ code: "chunks_missing" });
  });
});
