import { readFileSync } from "node:fs";
import { createPublication, finishPublication, putPublicationChunk } from "@rigmark/domain";
import { packChunks, totalsOf } from "@rigmark/domain/testing";
import { JournalRecord } from "@rigmark/protocol";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Fixture, makeFixture } from "./fixture";
import { apiOf } from "./v1";

const RECORDING = new URL("../../../apps/agent/tests/pull_request/recorded/slower.jsonl", import.meta.url);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await makeFixture();
});
afterAll(() => fixture?.close());

/** A recording leaves out what no report needs; the app takes no gaps. */
const recorded = (): JournalRecord[] =>
  readFileSync(RECORDING, "utf8")
    .trimEnd()
    .split("\n")
    .map((line, seq) => JournalRecord.parse({ ...JSON.parse(line), seq }));

it("of a published file is the one that the agent reads (else run `vitest -u` and look at what changed)", async () => {
  const records = recorded();
  const [begin] = records;
  const environment = records.find((r) => r.kind === "environment");
  if (begin?.kind !== "begin" || !environment) throw new Error("the recording has no beginning");
  const { workspace } = fixture.ws;
  const ctx = fixture.domain.as(fixture.owner);
  const head = { begin: begin.data, facts: environment.data.facts, title: null };
  await createPublication({ ctx, input: { workspace, ...head } });
  const runId = begin.data.run_id;
  const chunks = packChunks(records, 20);
  for (const chunk of chunks)
    await putPublicationChunk({ ctx, input: { workspace, runId, stream: "journal", ...chunk } });
  const streams = { journal: totalsOf(chunks), raw: totalsOf([]) };
  await finishPublication({ ctx, input: { workspace, runId, partial: false, streams } });

  const { token } = await fixture.makeToken(["read"]);
  const { body } = await apiOf(fixture)("GET", `/api/v1/runs/${runId}/snapshot`, { token });
  const known = { ...body, published_by: "Ada", finished_at: null };
  await expect(`${JSON.stringify(known)}\n`).toMatchFileSnapshot("../../protocol/golden/run-snapshot.json");
});
