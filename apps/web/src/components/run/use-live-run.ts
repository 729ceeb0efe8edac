"use client";

import type { LogView, RunView, RunWords, TrialSeries, WatchEvent } from "@rigmark/results";
import { pagePoints } from "@rigmark/results/points";
import { useQueryClient } from "@tanstack/react-query";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useCallback, useEffect, useReducer, useRef, useState } from "react";
import { type LiveRun, mergeEvent, mergePoll, rereadMs, stageOf, startLive } from "@/lib/live";
import { isRefusal, useTRPC, useTRPCClient } from "@/trpc/client";

type Action =
  | { kind: "events"; events: readonly WatchEvent[] }
  | { kind: "poll"; run: RunView; series: TrialSeries[]; logs: LogView[] };

const reduce = (live: LiveRun, action: Action): LiveRun =>
  action.kind === "events"
    ? action.events.reduce(mergeEvent, live)
    : mergePoll(live, action.run, action.series, action.logs);

/** A single read may fail; after so many in a row the page says that it is not up to date. */
const FAILURES = 2;

/**
 * A run as it happens. Rows are the truth, the stream is quick: events are merged as they come, rows are read again
 * whenever the stream is silent, once more when the run is over, and from time to time while late data may complete it.
 */
export function useLiveRun(workspace: string, initial: RunView, series: TrialSeries[], logs: LogView[]) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queries = useQueryClient();
  const runId = initial.run_id;
  const [live, dispatch] = useReducer(reduce, null, () => startLive(initial, series, logs));
  // As of the rows: an event that says that the run is over does not bring all of it.
  const [stage, setStage] = useState(() => stageOf(initial));
  /** Why the app does not tell more: signed out, removed from the workspace, the run deleted. */
  const [lost, setLost] = useState<string | null>(null);
  /** When the app last told something, as soon as it does not answer any more; null while it does. */
  const [heardAt, setHeardAt] = useState<string | null>(null);
  const heard = useRef(0);
  const told = useRef(0);
  const failures = useRef(0);
  const { final } = live.run;

  useEffect(() => {
    told.current = Date.now();
  }, []);
  const reached = useCallback(() => {
    told.current = Date.now();
    failures.current = 0;
    setHeardAt(null);
    setLost(null);
  }, []);

  const stream = useSubscription(
    trpc.run.watch.subscriptionOptions(
      { workspace, runId },
      {
        enabled: stage === "live",
        onData: ({ data }) => {
          heard.current = Date.now();
          reached();
          dispatch({ kind: "events", events: data });
        },
      },
    ),
  );

  useEffect(() => {
    let gone = false;
    const read = async () => {
      const began = Date.now();
      heard.current = began;
      try {
        const run = await client.run.get.query({ workspace, runId });
        const [all, tail] = await Promise.all([
          client.run.series.query({ workspace, runId, maxPoints: pagePoints(run.trials.length) }),
          client.run.logs.query({ workspace, runId, limit: 200 }),
        ]);
        if (gone) return;
        reached();
        // Events tell only what changes: rows from before one that came meanwhile would undo it.
        if (stage === "live" && !final && heard.current !== began) return;
        dispatch({ kind: "poll", run, series: all.series, logs: tail.lines });
        setStage(stageOf(run));
        // Curves were added of what was there when the run ended.
        if (stage === "late" && stageOf(run) === "whole")
          queries.invalidateQueries({ queryKey: trpc.run.curves.queryKey({ workspace, runId }) });
      } catch (error) {
        // The next round asks again; the page keeps what it has.
        if (gone) return;
        failures.current += 1;
        if (isRefusal(error)) setLost(error.message);
        else if (failures.current >= FAILURES) setHeardAt(new Date(told.current).toISOString());
      }
    };
    const wait = rereadMs(stage, final);
    if (wait === null) return;
    if (stage === "live" && final) read();
    else heard.current = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - heard.current > wait) read();
    }, 1000);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [client, queries, trpc, workspace, runId, final, stage, reached]);

  /** What was just saved is shown at once, also where no stream tells. */
  const edited = (words: RunWords) => dispatch({ kind: "events", events: [{ kind: "run", run: words }] });

  return { live, streaming: stream.status === "pending", lost, heardAt, edited };
}
