import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "@rigmark/db";
import type { WatchEvent } from "@rigmark/results";
import type { Actor, Ctx } from "../../../context";
import { topics } from "../../../internal/bus";
import { refusedReaders } from "../../../internal/refused-readers";
import { findRun, type RunRow } from "../../../internal/run/find";
import { readView } from "../../../internal/run/read-run";
import { changesOf, type Shown, toShown, wholeOf } from "./changes";
import type { Place } from "./place";
import { openRing, type Round } from "./ring";
import { beginning, lastSeq, news, readStamp, stampOf } from "./rows";

const POLL_MS = 2000;
/** Changes that come together are read together, */
const TOGETHER_MS = 5;
/** and a run that changes all the time is read this often. */
const BETWEEN_MS = 500;
/** How long somebody who was signed out or removed may go on watching, until the next round. */
const TRUST_MS = 5000;
/** A stream on which nothing came for so long says that it is there: its page would read the rows itself. */
const SILENT_MS = 3000;
/** What changes without a new revision, such as when the host was last heard of, is read this often. */
const REREAD_MS = 10_000;
/** Starts that are kept for viewers who lack the same, as all do that come back after a restart. */
const STARTS = 8;

/** Of a run that many watch there is one for each process. It reads the rows for all of them. */
interface Reader {
  join(ctx: Ctx, place: Place | null): Viewer;
}
export interface Viewer {
  /** What comes next; null when the run is over and everything was handed out, or when the viewer has gone. */
  next(): Promise<Round | null>;
  leave(): void;
}

const readers = new WeakMap<Db, Map<string, Reader>>();

/** How many runs are being read. */
export const readersOf = (db: Db): number => readers.get(db)?.size ?? 0;

/** Joins those who watch a run, from the place that the viewer has. The caller has entered the workspace. */
export function joinRun(ctx: Ctx, workspaceId: string, runId: string, place: Place | null): Viewer {
  const open = readers.get(ctx.db) ?? new Map<string, Reader>();
  readers.set(ctx.db, open);
  const key = `${workspaceId} ${runId}`;
  let reader = open.get(key);
  if (!reader) {
    const opened = openReader(ctx, workspaceId, runId, () => {
      if (open.get(key) === opened) open.delete(key);
    });
    open.set(key, opened);
    reader = opened;
  }
  return reader.join(ctx, place);
}

/** The run as of the newest round. */
interface Latest {
  no: number;
  row: RunRow;
  shown: Shown;
  upTo: number;
}
interface Seat {
  actor: Actor;
  refusal: Error | null;
  wake: () => void;
}

function openReader(asked: Ctx, workspaceId: string, runId: string, forget: () => void): Reader {
  const { signal: _, ...own } = asked;
  const ctx: Ctx = { ...own, actor: { kind: "system" } };
  const seats = new Set<Seat>();
  const ring = openRing();
  const end = new AbortController();
  let latest: Latest | null = null;
  let starts = new Map<string, Promise<Round>>();
  let over = false;
  let failure: { error: unknown } | null = null;
  let stamp: string | null = null;
  let readAt = 0;
  let sentAt = 0;

  const wake = () => {
    for (const seat of seats) seat.wake();
  };

  function keep(row: RunRow, shown: Shown, upTo: number, no: number): void {
    latest = { no, row, shown, upTo };
    starts = new Map();
  }

  function send(row: RunRow, from: number, upTo: number, shown: Shown, events: WatchEvent[]): void {
    const no = (latest?.no ?? 0) + 1;
    ring.push({ no, attemptNo: row.attempt_no, from, upTo, events: Object.freeze(events) });
    keep(row, shown, upTo, no);
    sentAt = performance.now();
    wake();
  }

  /** Reads what is new and hands it out. True when the run is over. */
  async function look(): Promise<boolean> {
    const found = await readStamp(ctx, workspaceId, runId);
    const sinceRead = performance.now() - readAt;
    if (latest && found === stamp && sinceRead < REREAD_MS) return sayUnchanged();
    if (latest) await pause(BETWEEN_MS - sinceRead);
    if (end.signal.aborted) return false;
    readAt = performance.now();
    const row = await findRun(ctx, workspaceId, runId);
    // Rows up to here are sent in this round; what comes in between is for the next.
    const upTo = await lastSeq(ctx, workspaceId, row);
    const { view } = await readView(ctx, workspaceId, row);
    const shown = toShown(view);
    if (latest === null) {
      keep(row, shown, upTo, 0);
      sentAt = readAt;
      wake();
    } else {
      const from = latest.row.attempt_no === row.attempt_no ? latest.upTo : -1;
      const events = [...changesOf(latest.shown, shown), ...(await news(ctx, workspaceId, row, from, upTo))];
      if (events.length > 0) send(row, from, Math.max(from, upTo), shown, events);
      else sayUnchanged();
    }
    stamp = stampOf(row, upTo);
    return view.final;
  }

  const pause = (ms: number): Promise<unknown> =>
    ms > 0 ? sleep(ms, undefined, { signal: end.signal }).catch(() => undefined) : Promise.resolve();

  function sayUnchanged(): false {
    if (latest && performance.now() - sentAt >= SILENT_MS)
      send(latest.row, latest.upTo, latest.upTo, latest.shown, [{ kind: "unchanged" }]);
    return false;
  }

  async function refuse(): Promise<void> {
    const refused = await refusedReaders(
      ctx,
      workspaceId,
      [...seats].map((seat) => seat.actor),
    );
    for (const seat of seats) seat.refusal = refused.get(seat.actor) ?? null;
    if (refused.size > 0) wake();
  }

  async function readOn(): Promise<void> {
    const waiter = ctx.bus.wait(topics.run(runId));
    try {
      let checked = ctx.now().getTime();
      while (!end.signal.aborted) {
        if (ctx.now().getTime() - checked >= TRUST_MS) {
          await refuse();
          checked = ctx.now().getTime();
        }
        over = await look();
        if (over) return;
        await waiter.until(POLL_MS, end.signal);
        await pause(TOGETHER_MS);
      }
    } catch (error) {
      failure = { error };
    } finally {
      waiter.stop();
      forget();
      wake();
    }
  }

  /** The run as it is, and what a viewer lacks that has come to `place`: once for all that lack the same. */
  function startFrom(at: Latest, place: Place | null): Promise<Round> {
    const known = place?.attemptNo === at.row.attempt_no ? place : null;
    const key = `${known?.seq}`;
    const begun = starts.get(key);
    if (begun) return begun;
    const start = readStart(at, known);
    if (starts.size < STARTS) {
      starts.set(key, start);
      start.catch(() => starts.delete(key));
    }
    return start;
  }

  async function readStart(at: Latest, known: Place | null): Promise<Round> {
    const { no, row, shown, upTo } = at;
    const kept = known && ring.since(known);
    const from = known?.seq ?? (await beginning(ctx, workspaceId, row, upTo));
    const lacked = kept ?? (await news(ctx, workspaceId, row, from, upTo));
    return {
      no,
      attemptNo: row.attempt_no,
      from,
      upTo,
      events: Object.freeze([...wholeOf(shown), ...lacked]),
    };
  }

  function join({ actor, signal }: Ctx, first: Place | null): Viewer {
    let place = first;
    /** The newest round that it has; null: it has to begin with the run as it is. */
    let no: number | null = null;
    const seat: Seat = { actor, refusal: null, wake: () => undefined };
    const leave = () => {
      signal?.removeEventListener("abort", leave);
      seat.wake();
      if (!seats.delete(seat) || seats.size > 0) return;
      end.abort();
      forget();
    };
    signal?.addEventListener("abort", leave, { once: true });
    seats.add(seat);

    const take = async (at: Latest): Promise<Round> => {
      // A viewer keeps no rounds: one that is too slow for the ring starts again from its place.
      const round = (no === null ? undefined : ring.get(no + 1)) ?? (await startFrom(at, place));
      no = round.no;
      place = { attemptNo: round.attemptNo, seq: round.upTo };
      return round;
    };
    return {
      next: async () => {
        while (!signal?.aborted) {
          if (seat.refusal) throw seat.refusal;
          if (failure) throw failure.error;
          if (latest && no !== latest.no) return take(latest);
          if (over) return null;
          await new Promise<void>((resolve) => {
            seat.wake = resolve;
          });
        }
        return null;
      },
      leave,
    };
  }

  // After the first viewer has joined, which is at once.
  queueMicrotask(readOn);
  return { join };
}
