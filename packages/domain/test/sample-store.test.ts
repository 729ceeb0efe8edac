import type { RecordOf } from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { SampleStore } from "../src/internal/sample/store";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

describe("the sample store", () => {
  it("keeps nulls null and large counters exact, and reads from where a reader is", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { lease } = await leasedRun(ada, agent, { ...SPEC, repeats: 1 });
    await beginAttempt(agent.ctx, lease);
    const records = writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {}, samples: 9 });
    const samples = records.filter((r): r is RecordOf<"sample"> => r.kind === "sample");
    const large = 2 ** 52 + 1;
    samples.forEach((s, i) => {
      s.data.requests = i % 2 === 0 ? null : large + i;
      s.data.tool = null;
    });
    for (const chunk of packChunks(records, 5)) await sendChunk(agent.ctx, lease, chunk);

    const { workspaceId } = agent.ctx.actor as { workspaceId: string };
    const key = { workspaceId, attemptId: lease.attempt_id };
    const stored = await SampleStore.read(world.domain.db, key);
    const flat = stored.flatMap((s) => s.samples).sort((a, b) => a.seq - b.seq);
    expect(
      flat.map((s) => [s.seq, s.t_us, s.requests, s.requests_t_us, s.tool_cpu_us, s.server_cpu_us]),
    ).toEqual(
      samples.map((s) => [
        s.seq,
        s.t_us,
        s.data.requests,
        s.data.requests_t_us,
        null,
        s.data.server?.cpu_us ?? null,
      ]),
    );

    const middle = samples[6]?.seq ?? 0;
    const [late] = await SampleStore.read(world.domain.db, key, { afterSeq: middle });
    expect(late?.samples.some((s) => s.seq <= middle)).toBe(true);
    expect(late?.samples.filter((s) => s.seq > middle)).toEqual(
      stored[0]?.samples.filter((s) => s.seq > middle),
    );
    expect(await SampleStore.read(world.domain.db, key, { afterSeq: 1e9 })).toEqual([]);
  });
});
