import { randomUUID } from "node:crypto";
import { sql } from "@rigmark/db";
import type { WatchEvent } from "@rigmark/results";
import { describe, expect, it } from "vitest";
import { getRunSeries, watchRun } from "../src/index";
import { topics } from "../src/internal/bus";
import { FACTS, packChunks, SCENARIO, SPEC, writeJournal } from "../src/testing/index";
import { beginAttempt, endAttempt, leasedRun, sendChunk, useWorld } from "./world";

const world = useWorld();

const pointsOf = (events: WatchEvent[]) =>
  events.flatMap((event) =>
    event.kind === "points" ? event.points.map((p) => `${event.trial_id} ${p.t_s}`) : [],
  );

it("a hint reaches whoever waits, also for an id in capital letters", async () => {
  const { bus } = world.system;
  const id = randomUUID();
  const waiter = bus.wait(topics.run(id.toUpperCase()));
  bus.hint(topics.run(id));
  expect(await waiter.until(0)).toBe(true);
  waiter.stop();
});

describe("watching a run", () => {
  it("brings every point once, goes on where a reader was cut off, and ends with the run", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId, lease } = await leasedRun(ada, agent, { ...SPEC, repeats: 1 });
    await beginAttempt(agent.ctx, lease);
    const input = { workspace: ada.workspace, runId };
    const chunks = packChunks(writeJournal(lease, { facts: FACTS, scenarios: [SCENARIO], rates: {} }), 8);
    const [before, after] = [chunks.slice(0, 2), chunks.slice(2)];

    const first: WatchEvent[] = [];
    let id = "";
    const reader = watchRun({ ctx: ada.ctx, input });
    const next = async () => {
      const tracked = (await reader.next()).value;
      id = tracked?.id ?? "";
      first.push(...(tracked?.events ?? []));
    };
    await next();
    expect(first[0]).toMatchObject({ kind: "run", run: { state: "preparing" } });
    for (const chunk of before) await sendChunk(agent.ctx, lease, chunk);
    while (!first.some((event) => event.kind === "logs")) await next();
    await reader.return(undefined);

    const second: WatchEvent[] = [];
    const all = (async () => {
      const rest = watchRun({ ctx: ada.ctx, input: { ...input, lastEventId: id } });
      for await (const { events } of rest) second.push(...events);
    })();
    for (const chunk of after) await sendChunk(agent.ctx, lease, chunk);
    await endAttempt(agent.ctx, lease, chunks);
    await all;

    const { series } = await getRunSeries({ ctx: ada.ctx, input: { ...input, maxPoints: 600 } });
    const wanted = series.flatMap((s) => s.points.map((p) => `${s.trial_id} ${p.t_s}`));
    expect(pointsOf([...first, ...second]).sort()).toEqual(wanted.sort());
    expect(second.findLast((event) => event.kind === "run")).toMatchObject({
      run: { state: "succeeded", final: true },
    });
    const environments = [first, second].map((part) => part.filter((event) => event.kind === "environment"));
    // Each reader is told once: the page that it began with may be older than the report.
    expect(environments.map((part) => part.length)).toEqual([1, 1]);
    expect(environments[1]?.[0]).toMatchObject({ environment: { core_split: "server 0-1, tool 2-3" } });
    const lines = [...first, ...second].flatMap((event) =>
      event.kind === "logs" ? event.lines.map((l) => l.seq) : [],
    );
    expect(lines).toEqual([...new Set(lines)]);
    expect(lines).toHaveLength(2);
  });

  it("ends within seconds for who was signed out or removed", async () => {
    const { db } = world.domain;
    for (const change of ["session", "member", "token"] as const) {
      const ada = await world.person("Ada");
      const agent = await world.host(ada);
      const { runId } = await leasedRun(ada, agent);
      if (ada.ctx.actor.kind !== "user") throw new Error("Ada is a person");
      const [userId, sessionId] = [ada.ctx.actor.userId, randomUUID()];
      await db.query(
        sql`INSERT INTO session (id, user_id, token, expires_at, updated_at)
            VALUES (${sessionId}, ${userId}, ${sessionId}, now() + interval '1 day', now())`,
      );
      const tokenId = randomUUID();
      await db.query(
        sql`INSERT INTO token (token_id, user_id, name, scopes, prefix) VALUES (${tokenId}, ${userId}, 'CI', '{read}', 'rgm_')`,
      );
      const token = { tokenId, name: "CI", scopes: ["read" as const], workspaceId: null, expiresAt: null };
      const by = change === "token" ? { token } : { sessionId };
      const ctx = world.as({ ...ada.ctx.actor, ...by });
      const reader = watchRun({ ctx, input: { workspace: ada.workspace, runId } });
      await reader.next();
      if (change === "session") await db.query(sql`DELETE FROM session WHERE id = ${sessionId}`);
      if (change === "member") await db.query(sql`DELETE FROM member WHERE user_id = ${userId}`);
      if (change === "token")
        await db.query(sql`UPDATE token SET revoked_at = now() WHERE token_id = ${tokenId}`);
      world.clock.advance(6);
      // Where the host takes its time, a word that all is as before may come first.
      const end = async () => {
        for (let last = false; !last; ) last = (await reader.next()).done ?? false;
      };
      await expect(end()).rejects.toMatchObject({
        code: change === "member" ? "not_found" : "unauthenticated",
      });
    }
  });

  it("ends when the reader has gone", async () => {
    const ada = await world.person("Ada");
    const agent = await world.host(ada);
    const { runId } = await leasedRun(ada, agent);
    const gone = new AbortController();
    const reader = watchRun({
      ctx: { ...ada.ctx, signal: gone.signal },
      input: { workspace: ada.workspace, runId },
    });
    await reader.next();
    const end = reader.next();
    gone.abort();
    expect((await end).done).toBe(true);
  });
});
