import type { Lease } from "@rigmark/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { finishAttempt, getRun } from "../src/index";
import { packChunk, SPEC, type TestChunk, totalsOf } from "../src/testing/index";
import { beginAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

/** Small journals of labels: what is in them does not matter here, only that they arrive once and in order. */
function labels(cuts: number[], lease: Lease): TestChunk[] {
  const { run_id, attempt_id, attempt_no, spec } = lease;
  const begin = { run_id, attempt_id, attempt_no, spec, wall_us: 1, boot_id: "b", agent_version: "0" };
  let seq = 0;
  return cuts.map((n, i) =>
    packChunk(
      i,
      Array.from({ length: n }, () => {
        const said =
          seq === 0
            ? { kind: "begin" as const, data: begin }
            : { kind: "label" as const, data: { code: "n", message: `${seq}`, entry_key: null } };
        const record = { v: 1 as const, seq, t_us: seq, ...said };
        seq += 1;
        return record;
      }),
    ),
  );
}

const Step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("put" as const), chunk: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("other" as const), chunk: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("finish" as const), chunk: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("both" as const), chunk: fc.nat(9) }) },
);

describe("chunks under a network that repeats, reorders and loses", () => {
  it("are stored once and in order, or the response says exactly what is missing", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 8 }),
        fc.array(Step, { maxLength: 25 }),
        async (cuts, steps) => {
          const { runId, lease } = await leasedRun(ada, agent, { ...SPEC, repeats: 1 });
          await beginAttempt(agent.ctx, lease);
          const chunks = labels(cuts, lease);
          const put = (c: TestChunk) =>
            sendChunk(agent.ctx, lease, c).then(
              (ok) => ok as unknown,
              (e: { code: string; detail: unknown }) => ({ code: e.code, ...(e.detail as object) }),
            );
          const finish = (sent: TestChunk[]) =>
            finishAttempt({
              ctx: agent.ctx,
              input: {
                attemptId: lease.attempt_id,
                attemptNo: lease.attempt_no,
                status: "failed",
                error: null,
                corrupt_records: 0,
                streams: { journal: totalsOf(sent), raw: totalsOf([]) },
              },
            }).then(
              (ok) => ok as unknown,
              (e: { code: string; detail: unknown }) => ({ code: e.code, ...(e.detail as object) }),
            );
          let have = 0;
          let over = false;
          for (const step of steps) {
            const chunk = chunks[step.chunk % chunks.length] as TestChunk;
            if (step.do === "finish") {
              const response = await finish(chunks);
              if (over || have === chunks.length) {
                expect(response).toEqual({ state: "failed" });
                over = true;
              } else {
                expect(response).toEqual({
                  code: "chunks_missing",
                  missing: [{ stream: "journal", from_seq: have, to_seq: chunks.length }],
                });
              }
              continue;
            }
            const sent = step.do === "other" ? { ...chunk, sha256: "0".repeat(64) } : chunk;
            const responses =
              step.do === "both" ? await Promise.all([put(sent), put(sent)]) : [await put(sent)];
            if (sent.seq > have) {
              for (const a of responses) expect(a).toEqual({ code: "chunk_gap", next_seq: have });
            } else if (step.do === "other") {
              expect(responses[0]).toMatchObject({ code: sent.seq === have ? "invalid" : "chunk_conflict" });
            } else {
              have = Math.max(have, sent.seq + 1);
              for (const a of responses) expect(a).toEqual({ next_seq: have });
            }
          }
          for (const chunk of chunks.slice(have)) await put(chunk);
          expect(await finish(chunks)).toEqual({ state: "failed" });
          const seen = await getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
          expect(seen.labels.map((l) => Number(l.message))).toEqual(
            Array.from({ length: cuts.reduce((a, b) => a + b, 0) - 1 }, (_, i) => i + 1),
          );
        },
      ),
      { numRuns: 25 },
    );
  });
});
