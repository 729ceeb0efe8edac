"use client";

import type { LogView, RunView, TrialSeries, WatchEvent } from "@rigmark/domain/views";
import { useSubscription } from "@trpc/tanstack-react-query";
import { useEffect, useReducer, useRef, useState } from "react";
import { pointsFor } from "@/lib/downsample";
import { type LiveRun, mergeEvent, mergePoll, startLive } from "@/lib/live";
import { useTRPC, useTRPCClient } from "@/trpc/client";

/** After this long without an event the rows are asked for: a proxy may hold the stream back. */
const QUIET_MS = 6000;

type Action =
  | { kind: "event"; event: WatchEvent }
  | { kind: "poll"; run: RunView; series: TrialSeries[]; logs: LogView[] };

const reduce = (live: LiveRun, action: Action): LiveRun =>
  action.kind === "event"
    ? mergeEvent(live, action.event)
    : mergePoll(live, action.run, action.series, action.logs);

/**
 * A run as it happens. Rows are the truth, the stream is quick: events are merged as they come, rows are read again
 * whenever the stream is silent, and once more when the run is over.
 */
export function useLiveRun(workspace: string, initial: RunView, series: TrialSeries[], logs: LogView[]) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const runId = initial.run_id;
  const [live, dispatch] = useReducer(reduce, null, () => startLive(initial, series, logs));
  const [whole, setWhole] = useState(initial.final);
  const heard = useRef(0);
  const { final } = live.run;

  const stream = useSubscription(
    trpc.run.watch.subscriptionOptions(
      { workspace, runId },
      {
        enabled: !whole,
        onData: ({ data }) => {
          heard.current = Date.now();
          dispatch({ kind: "event", event: data });
        },
      },
    ),
  );

  useEffect(() => {
    let gone = false;
    const read = async () => {
      heard.current = Date.now();
      try {
        const run = await client.run.get.query({ workspace, runId });
        const [all, tail] = await Promise.all([
          client.run.series.query({ workspace, runId, maxPoints: pointsFor(run.trials.length) }),
          client.run.logs.query({ workspace, runId, limit: 200 }),
        ]);
        if (gone) return;
        dispatch({ kind: "poll", run, series: all.series, logs: tail.lines });
        if (run.final) setWhole(true);
      } catch {
        // The next round asks again; the page keeps what it has.
      }
    };
    if (whole) return;
    if (final) read();
    else heard.current = Date.now();
    const timer = setInterval(() => {
      if (Date.now() - heard.current > (final ? QUIET_MS / 2 : QUIET_MS)) read();
    }, 1000);
    return () => {
      gone = true;
      clearInterval(timer);
    };
  }, [client, workspace, runId, final, whole]);

  return { live, streaming: stream.status === "pending" };
}
