import { expect, it } from "vitest";
import { getRun } from "../src/index";
import { FACTS, packChunks, SCENARIO, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

it("an entry keeps the commit that its folder was at, and one without a repository has none", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const { runId, lease } = await leasedRun(ada, agent);
  await beginAttempt(agent.ctx, lease);
  const records = writeJournal(lease, {
    facts: FACTS,
    scenarios: [SCENARIO],
    rates: { nginx: 10_000, epoll: 14_000 },
  });
  const plan = records.find((r) => r.kind === "plan");
  if (plan?.kind !== "plan") throw new Error("no plan");
  const revision = { commit: "0123456789abcdef0123456789abcdef01234567", ref: "origin/main", dirty: false };
  Object.assign(plan.data.entries[0] ?? {}, { revision });
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  const { entries } = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
  expect(entries[0]).toMatchObject({ revision });
  expect(entries[1]).not.toHaveProperty("revision");
});
