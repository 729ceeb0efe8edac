import { randomUUID } from "node:crypto";
import { sql } from "@rigmark/db";
import {
  Catalogue,
  type JournalKind,
  type JournalRecord,
  type RawRecord,
  type RecordOf,
} from "@rigmark/protocol";
import { describe, expect, it } from "vitest";
import { createReport, getRawFiles, getRun, renderReport } from "../src/index";
import { checkSpec } from "../src/internal/run/check-spec";
import { CATALOGUE, FACTS, packChunk, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

/** A run whose whole journal is here but for its end, and the means to say more. */
async function begun() {
  const ada = await world.person("Ada");
  const agent = await world.host(ada);
  const { runId, lease } = await leasedRun(ada, agent, { ...SPEC, repeats: 1 });
  await beginAttempt(agent.ctx, lease);
  const records = writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }).slice(0, -1);
  const chunks = packChunks(records, 40);
  for (const chunk of chunks) await sendChunk(agent.ctx, lease, chunk);
  let seq = records.length;
  const say = async <K extends JournalKind>(kind: K, times: number, data: RecordOf<K>["data"]) => {
    const more = Array.from(
      { length: times },
      (_, i) => ({ v: 1, seq: seq + i, t_us: 9e9, kind, data }) as JournalRecord,
    );
    const chunk = packChunk(chunks.length, more);
    const response = await sendChunk(agent.ctx, lease, chunk);
    chunks.push(chunk);
    seq += times;
    return response;
  };
  const end = () => endAttempt(agent.ctx, lease, chunks);
  const { trial_id: trialId, entry_key: entryKey } = records.find((r) => r.kind === "trial")?.data ?? {};
  const of = { workspace: ada.workspace, runId };
  return { ada, agent, lease, of, say, end, trialId: trialId ?? "", entryKey: entryKey ?? "" };
}

describe("what an agent may say", () => {
  const key = "ab".repeat(32);
  it.each([
    ["label", 200, { code: "odd", message: "m", entry_key: null }, /at most 200 labels/],
    [
      "verify",
      106,
      {
        entry_key: key,
        trial_id: null,
        when: "before",
        workload: "static",
        status: "passed",
        checks: [],
      },
      /at most 108 verifications/,
    ],
    [
      "phase",
      990,
      { phase: "build", status: "begin", entry_key: null, trial_id: null, message: null },
      /at most 1000 phases/,
    ],
  ] as const)("has a limit for each %s of an attempt", async (kind, fits, data, words) => {
    const it = await begun();
    await it.say(kind, fits, data as never);
    await expect(it.say(kind, 20, data as never)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringMatching(words),
    });
    const [row] = (
      await world.domain.db.query<{ error_message: string }>(
        sql`SELECT error_message FROM run WHERE run_id = ${it.of.runId}`,
      )
    ).rows;
    expect(row?.error_message).toMatch(words);
  });
});

describe("a plan that does not add up", () => {
  const odd = async (change: (plan: RecordOf<"plan">["data"]) => object) => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId, lease } = await leasedRun(ada, agent);
    await beginAttempt(agent.ctx, lease);
    const records = writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }).slice(0, 3);
    const last = records[2] as RecordOf<"plan">;
    const changed = { ...last, data: { ...last.data, ...change(last.data) } } as JournalRecord;
    const sent = sendChunk(agent.ctx, lease, packChunk(0, [...records.slice(0, 2), changed]));
    return { sent, seen: () => getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } }) };
  };

  it.each([
    ["an entry twice", (p) => ({ entries: p.entries.flatMap((e) => [e, e]) })],
    ["a scenario twice", () => ({ scenarios: [SCENARIO, SCENARIO] })],
    ["a trial twice", (p) => ({ trials: p.trials.flatMap((t) => [t, t]) })],
    [
      "a trial of another entry",
      (p) => ({ trials: p.trials.map((t) => ({ ...t, entry_key: "ef".repeat(32) })) }),
    ],
    ["a trial of another scenario", (p) => ({ trials: p.trials.map((t) => ({ ...t, scenario: "none" })) })],
    ["a block beyond all numbers", (p) => ({ trials: p.trials.map((t) => ({ ...t, block: 2 ** 31 })) })],
    ["slices beyond all numbers", (p) => ({ trials: p.trials.map((t) => ({ ...t, slices: 2 ** 40 })) })],
    ["a length beyond all time", () => ({ planned_s: 1e300 })],
  ] as [string, (p: RecordOf<"plan">["data"]) => object][])("is refused: %s", async (_, change) => {
    const { sent, seen } = await odd(change);
    await expect(sent).rejects.toMatchObject({ code: "invalid" });
    expect(await seen()).toMatchObject({ summary: null, error: { code: "data-refused" } });
  });

  it("leaves a run that can be looked at, if it is here already", async () => {
    const { ada, of, end } = await begun();
    await end();
    expect((await getRun({ ctx: ada.ctx, input: of })).summary).not.toBeNull();
    await world.domain.db.query(sql`UPDATE trial SET entry_key = ${"ef".repeat(32)}`);
    expect((await getRun({ ctx: ada.ctx, input: of })).summary).toBeNull();
  });
});

describe("a journal", () => {
  const started = async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId, lease } = await leasedRun(ada, agent, { ...SPEC, repeats: 1 });
    await beginAttempt(agent.ctx, lease);
    const records = writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} });
    const seen = () => getRun({ ctx: ada.ctx, input: { workspace: ada.workspace, runId } });
    return { agent, lease, records, seen };
  };
  const again = (records: JournalRecord[], i: number, seq: number) =>
    ({ ...(records[i] as JournalRecord), seq }) as JournalRecord;

  it("begins with its one beginning, and has one plan", async () => {
    const { agent, lease, records } = await started();
    const put = (seq: number, chunk: JournalRecord[]) => sendChunk(agent.ctx, lease, packChunk(seq, chunk));
    const refused = (words: RegExp) => ({ code: "invalid", message: expect.stringMatching(words) });
    await expect(put(0, [again(records, 2, 0)])).rejects.toMatchObject(refused(/must be begin/));
    await expect(put(0, [...records.slice(0, 3), again(records, 2, 3)])).rejects.toMatchObject(
      refused(/second plan/),
    );
    await put(0, records.slice(0, 3));
    await expect(put(1, [again(records, 0, 3)])).rejects.toMatchObject(refused(/second begin record/));
    await expect(put(1, [again(records, 2, 3)])).rejects.toMatchObject(refused(/second plan/));
    await put(1, records.slice(3));
  });

  it("without a result of any trial is of a run that failed", async () => {
    const { agent, lease, records, seen } = await started();
    const chunk = packChunk(0, records.slice(0, 3));
    await sendChunk(agent.ctx, lease, chunk);
    expect(await endAttempt(agent.ctx, lease, [chunk])).toEqual({ state: "failed" });
    expect((await seen()).error).toMatchObject({ code: "no-trials" });
  });
});

describe("the options of an entry", () => {
  it("are those that the server has, and no words that every object knows", () => {
    const entry = { label: "x", server: "epoll", options: { constructor: 1 } };
    expect(() => checkSpec({ ...SPEC, baseline: null, entries: [entry] }, CATALOGUE)).toThrow(
      /no option “constructor”/,
    );
  });
});

describe("a catalogue", () => {
  it.each(["servers", "scenarios", "tools"] as const)("has each of its %s once", (what) => {
    const twice = { ...CATALOGUE, [what]: [...CATALOGUE[what], CATALOGUE[what][0]] };
    expect(Catalogue.safeParse(twice).error?.issues[0]?.message).toMatch(/have the same name/);
  });
});

describe("raw output", () => {
  const raw = (seq: number, trial_id: string, name: string, text: string): RawRecord => ({
    v: 1,
    seq,
    t_us: 1,
    kind: "raw",
    data: { trial_id, name, part: 0, text, truncated: false },
  });

  it("is shown up to a total, whatever the names of its files", async () => {
    const { ada, agent, lease, of } = await begun();
    const [mine, other] = [randomUUID(), randomUUID()];
    const text = "x".repeat(60_000);
    let seq = 0;
    for (let c = 0; c < 30; c += 1) {
      const records = Array.from({ length: 4 }, (_, i) => raw(seq + i, mine, `f${seq + i}.txt`, text));
      seq += 4;
      await sendChunk(agent.ctx, lease, packChunk(c, records), "raw");
    }
    await sendChunk(agent.ctx, lease, packChunk(30, [raw(seq, other, "ab.stdout", "ab\n")]), "raw");
    const { files } = await getRawFiles({ ctx: ada.ctx, input: { ...of, trialId: mine } });
    expect(files.length).toBeLessThanOrEqual(16);
    expect(JSON.stringify(files).length).toBeLessThan(1_100_000);
    expect(files.at(-1)?.truncated).toBe(true);
    // Chunks that are not about a trial are not even read for it.
    await world.domain.db.query(
      sql`UPDATE chunk SET body = '' WHERE stream = 'raw' AND attempt_id = ${lease.attempt_id} AND seq < 30`,
    );
    expect(await getRawFiles({ ctx: ada.ctx, input: { ...of, trialId: other } })).toEqual({
      files: [{ name: "ab.stdout", text: "ab\n", truncated: false }],
    });
  });
});

describe("a report", () => {
  it("says as Markdown no more of the labels than fits a line", async () => {
    const { ada, of, say, end } = await begun();
    await say("label", 100, { code: "odd", message: "m".repeat(900), entry_key: null });
    await end();
    const { slug } = await createReport({ ctx: ada.ctx, input: { ...of, showHostName: false } });
    const body = await renderReport({ ctx: world.anonymous, input: { slug, as: "md" } });
    expect(body.length).toBeLessThan(5000);
    expect(body).toContain("mmm…");
  });

  it("that nobody could open is refused in words", async () => {
    const { ada, of, say, end, trialId, entryKey } = await begun();
    const checks = Array.from({ length: 100 }, (_, i) => ({
      id: `c${i}`,
      title: "t",
      status: "failed" as const,
      message: "m".repeat(2000),
      expected_bytes: null,
      actual_bytes: null,
    }));
    for (let i = 0; i < 45; i += 1) {
      const said = {
        entry_key: entryKey,
        when: "before",
        workload: "static",
        status: "failed",
      } as const;
      await say("verify", 1, { ...said, trial_id: trialId, checks });
    }
    await end();
    const share = createReport({ ctx: ada.ctx, input: { ...of, showHostName: false } });
    await expect(share).rejects.toMatchObject({ code: "too_large", message: expect.stringMatching(/8 MiB/) });
  });
});
