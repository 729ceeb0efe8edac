import { setTimeout as sleep } from "node:timers/promises";
import { one, sql } from "@rigmark/db";
import type { RunLight, RunView, TrialView, WatchEvent } from "@rigmark/results";
import { LIVE_POINTS } from "@rigmark/results/points";
import type { Call, Ctx } from "../context";
import { enterWorkspace, stayInWorkspace } from "../internal/access";
import { topics } from "../internal/bus";
import { findRun, type RunRow } from "../internal/run/find";
import { readRun } from "../internal/run/read-run";
import { readSeries } from "../internal/run/read-series";
import { readLogs } from "./internal/read-logs";

const POLL_MS = 2000;
/** Changes that come together are sent together. */
const DEBOUNCE_MS = 250;
/** How long somebody who was signed out or removed may go on watching. */
const TRUST_MS = 5000;
const LINES = 500;

interface Input {
  workspace: string;
  runId: string;
  lastEventId?: string | null | undefined;
}
export interface Tracked {
  /** `<attempt_no>:<journal seq>` up to which everything was sent. */
  id: string;
  event: WatchEvent;
}

/**
 * A run as it happens. Rows are read again after each hint and every two seconds without one, from the place that the
 * reader has. Ends when the run is over and everything was sent.
 */
export async function* watchRun({ ctx, input }: Call<Input>): AsyncGenerator<Tracked> {
  const { workspaceId } = await enterWorkspace(ctx, input.workspace, "read");
  const waiter = ctx.bus.wait(topics.run(input.runId));
  try {
    let place = parsePlace(input.lastEventId);
    let seen = "";
    let environment = "";
    let checked = ctx.now().getTime();
    while (!ctx.signal?.aborted) {
      if (ctx.now().getTime() - checked >= TRUST_MS) {
        await stayInWorkspace(ctx, input.workspace, "read");
        checked = ctx.now().getTime();
      }
      const row = await findRun(ctx, workspaceId, input.runId);
      if (place?.attemptNo !== row.attempt_no) place = await beginning(ctx, workspaceId, row);
      // Rows up to here are sent in this round; what comes in between is for the next.
      const upTo = await lastSeq(ctx, workspaceId, row);
      const id = `${row.attempt_no}:${upTo}`;
      const stamp = `${row.attempt_no} ${row.revision} ${upTo}`;
      if (stamp !== seen) {
        const { view } = await readRun(ctx, workspaceId, input.runId);
        const events: WatchEvent[] = [
          { kind: "run", run: toLight(view) },
          ...(canon(view.environment) === environment
            ? []
            : [{ kind: "environment" as const, environment: view.environment }]),
          ...(await news(ctx, workspaceId, row, place.seq, upTo)),
        ];
        // Only the last event says that all of them came: a reader that was cut off gets the others again.
        const before = `${row.attempt_no}:${place.seq}`;
        for (const [i, event] of events.entries()) yield { id: i === events.length - 1 ? id : before, event };
        seen = stamp;
        environment = canon(view.environment);
        place = { attemptNo: row.attempt_no, seq: Math.max(place.seq, upTo) };
        if (view.final && view.state === row.state) return;
      }
      await waiter.until(POLL_MS, ctx.signal);
      await sleep(DEBOUNCE_MS, undefined, ctx.signal ? { signal: ctx.signal } : {}).catch(() => undefined);
    }
  } finally {
    waiter.stop();
  }
}

/** Percentiles that a live page shows; the whole list is with the rows. */
const SHOWN = new Set([50, 75, 90, 95, 97.5, 99, 99.9, 99.99, 100]);

/** Nothing for one that was not reported: a reader has none until it is told. */
const canon = (environment: RunView["environment"]): string =>
  environment ? JSON.stringify(environment) : "";

/** A run is sent about once a second, so what hardly changes is sent by itself, and what nobody looks at stays out. */
function toLight({ environment: _, reports: __, ...run }: RunView): RunLight {
  const withShown = (trial: TrialView): TrialView => {
    const latency = trial.result?.latency;
    if (!trial.result || !latency) return trial;
    const percentiles = latency.percentiles.filter(({ p }) => SHOWN.has(p));
    return { ...trial, result: { ...trial.result, latency: { ...latency, percentiles } } };
  };
  return { ...run, trials: run.trials.map(withShown) };
}

async function news(
  ctx: Ctx,
  workspaceId: string,
  row: RunRow,
  afterSeq: number,
  upToSeq: number,
): Promise<WatchEvent[]> {
  if (!row.attempt_id) return [];
  const key = { workspaceId, attemptId: row.attempt_id };
  const series = await readSeries(ctx, key, { maxPoints: LIVE_POINTS, afterSeq, upToSeq });
  const lines = await readLogs(
    ctx,
    { ...key, beginUs: row.begin_us ?? 0 },
    sql`seq > ${afterSeq} AND seq <= ${upToSeq}`,
    LINES,
  );
  return [
    ...series
      .filter((s) => s.points.length > 0)
      .map(({ trial_id, entry_key, points }) => ({ kind: "points" as const, trial_id, entry_key, points })),
    ...(lines.length > 0 ? [{ kind: "logs" as const, lines }] : []),
  ];
}

function parsePlace(lastEventId: string | null | undefined): { attemptNo: number; seq: number } | null {
  const match = /^(\d{1,9}):(-?\d{1,15})$/.exec(lastEventId ?? "");
  return match ? { attemptNo: Number(match[1]), seq: Number(match[2]) } : null;
}

/** A new reader has the rows of finished trials from its page; it gets the running trial whole, and the last lines. */
async function beginning(
  ctx: Ctx,
  workspaceId: string,
  row: RunRow,
): Promise<{ attemptNo: number; seq: number }> {
  const first = await one<{ seq: number | null }>(
    ctx.db,
    sql`SELECT min(c.first_seq) AS seq FROM sample_chunk c JOIN trial t USING (workspace_id, attempt_id, trial_id)
        WHERE c.workspace_id = ${workspaceId} AND c.attempt_id = ${row.attempt_id} AND t.state = 'running'`,
  );
  return { attemptNo: row.attempt_no, seq: (first?.seq ?? (await lastSeq(ctx, workspaceId, row)) + 1) - 1 };
}

async function lastSeq(ctx: Ctx, workspaceId: string, row: RunRow): Promise<number> {
  const stream = await one<{ next: number }>(
    ctx.db,
    sql`SELECT next_record_seq AS next FROM stream
        WHERE workspace_id = ${workspaceId} AND attempt_id = ${row.attempt_id} AND name = 'journal'`,
  );
  return (stream?.next ?? 0) - 1;
}
