"use client";

import type { PlanEntry } from "@rigmark/protocol";
import type { LogView } from "@rigmark/results";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import { memo, useEffect, useRef, useState } from "react";
import { droppedLines } from "@/lib/live";
import { plainLine, plainText } from "@/lib/text";
import { useTRPCClient } from "@/trpc/client";
import { Problem } from "../ui/problem";

const SOURCES = ["all", "agent", "build", "server", "tool"] as const;

interface LogTailProps {
  workspace: string;
  runId: string;
  lines: readonly LogView[];
  entries: readonly PlanEntry[];
  live: boolean;
  /** Nothing older than the lines that the page began with. */
  complete: boolean;
}

/** The newest lines, followed until the reader scrolls up or pauses. Older ones are fetched on request. */
export function LogTail({ workspace, runId, lines, entries, live, complete }: LogTailProps) {
  const client = useTRPCClient();
  const box = useRef<HTMLDivElement>(null);
  const [follow, setFollow] = useState(true);
  /** Paused: the last line that is shown. */
  const [heldAt, setHeldAt] = useState<number | null>(null);
  const [seen, setSeen] = useState(lines);
  const [older, setOlder] = useState<readonly LogView[]>([]);
  const [end, setEnd] = useState(complete);
  const [loading, setLoading] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const [source, setSource] = useQueryState("log", parseAsStringLiteral(SOURCES).withDefault("all"));
  if (seen !== lines) {
    setSeen(lines);
    // The page holds so many lines only: without these there would be a gap behind older ones, or in what is paused.
    const dropped = droppedLines(seen, lines, older);
    if (older.length > 0 || heldAt !== null || loading) setOlder([...older, ...dropped]);
    else if (dropped.length > 0) setEnd(false);
  }
  const first = lines[0]?.seq ?? Number.POSITIVE_INFINITY;
  const all = [...older.filter((line) => line.seq < first), ...lines];
  const shown = all.filter(
    (line) => (heldAt === null || line.seq <= heldAt) && (source === "all" || line.source === source),
  );
  const newest = shown.at(-1)?.seq;
  const more = all.length > 0 && !end;
  const labels = new Map(entries.map((e) => [e.key, plainLine(e.label)]));

  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follow, newest, source]);

  const pause = (paused: boolean) => {
    setHeldAt(paused ? (lines.at(-1)?.seq ?? -1) : null);
    setFollow(!paused);
  };
  const loadOlder = async () => {
    const oldest = all[0];
    if (!oldest) return;
    setLoading(true);
    setError(null);
    try {
      const page = await client.run.logs.query({ workspace, runId, before: oldest.seq, limit: 500 });
      setFollow(false);
      setOlder((known) => [...page.lines, ...known]);
      setEnd(page.before === null || page.lines.length === 0);
    } catch (e) {
      setError(e instanceof Error ? e.message : String(e));
    } finally {
      setLoading(false);
    }
  };
  return (
    <section aria-labelledby="log-heading">
      <div className="mb-2 flex flex-wrap items-center gap-2">
        <h2 id="log-heading" className="mr-auto">
          Log
        </h2>
        <label className="flex items-center gap-2 text-ink-2">
          Source
          <select
            className="input w-auto"
            value={source}
            onChange={(event) => setSource(event.target.value as typeof source)}
          >
            {SOURCES.map((s) => (
              <option key={s} value={s}>
                {s}
              </option>
            ))}
          </select>
        </label>
        {live && (
          <button
            type="button"
            className="btn min-w-20"
            data-size="small"
            onClick={() => pause(heldAt === null)}
          >
            {heldAt === null ? "Pause" : "Follow"}
          </button>
        )}
      </div>
      {error && <Problem message={error} className="mb-2" />}
      <div
        ref={box}
        role="log"
        aria-live="off"
        aria-label="Log lines"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        onScroll={(event) => {
          const el = event.currentTarget;
          if (heldAt === null) setFollow(el.scrollHeight - el.scrollTop - el.clientHeight < 24);
        }}
        className="panel h-80 overflow-y-auto py-2 font-mono text-[0.857rem] leading-[1.55]"
      >
        {more && (
          <button
            type="button"
            className="btn mb-2 ml-3"
            data-size="small"
            disabled={loading}
            onClick={loadOlder}
          >
            Older lines
          </button>
        )}
        {shown.length === 0 && (
          <p className="px-3 font-sans text-ink-2">
            {more
              ? "No such lines among those loaded; load older ones."
              : all.length > 0
                ? "No such lines."
                : live
                  ? "No lines yet. They appear here as the host sends them."
                  : "No lines."}
          </p>
        )}
        {shown.map((line) => (
          <Line key={line.seq} line={line} label={line.entry_key ? labels.get(line.entry_key) : undefined} />
        ))}
      </div>
    </section>
  );
}

/** Kept while other lines come: a tail may be two thousand lines long. */
const Line = memo(function Line({ line, label }: { line: LogView; label: string | undefined }) {
  return (
    <div
      className={`grid grid-cols-[3.6rem_minmax(0,1fr)] gap-2 px-3 sm:grid-cols-[4.2rem_9rem_minmax(0,1fr)] ${
        line.level === "error" ? "bg-bad-wash text-bad" : line.level === "warn" ? "text-warn" : ""
      }`}
    >
      <span className="text-right text-ink-3">{line.t_s.toFixed(1)} s</span>
      <span className="hidden truncate text-ink-2 sm:block">
        {line.source} {label}
      </span>
      <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">{plainText(line.line)}</span>
    </div>
  );
});
