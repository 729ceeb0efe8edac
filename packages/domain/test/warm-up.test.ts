import { expect, it } from "vitest";
import { getRun } from "../src/index";
import { FACTS, packChunks, SCENARIO, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

it("a trial keeps how long it was really warmed up, and whether it was steady then", async () => {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const { runId, lease } = await leasedRun(ada, agent);
  await beginAttempt(agent.ctx, lease);
  const records = writeJournal(lease, {
    facts: FACTS,
    scenarios: [SCENARIO],
    rates: { nginx: 10_000, epoll: 14_000 },
  });
  const first = records.find((r) => r.kind === "trial");
  if (first?.kind !== "trial") throw new Error("no trial");
  Object.assign(first.data, { warmup_us: 6_120_000, warmup_steady: false });
  const chunks = packChunks(records, 50);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  await endAttempt(agent.ctx, lease, chunks);
  const { trials } = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
  const seen = trials.map((t) => [t.warmup_us, t.warmup_steady]);
  expect(seen.filter(([us]) => us !== null)).toEqual([[6_120_000, false]]);
  expect(trials.find((t) => t.warmup_us === null)).toMatchObject({ warmup_steady: null });
});
