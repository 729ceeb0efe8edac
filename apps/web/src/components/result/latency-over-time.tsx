"use client";

import { useId, useMemo, useState } from "react";
import { type HeatEntry, latencyOverTimeFigure } from "@/lib/results/latency-over-time-figure";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

interface LatencyOverTimeProps {
  entries: readonly HeatEntry[];
  /** Names the CSV file. */
  name: string;
}

/** A heat map of one entry's latencies, and which entry that is. */
export function LatencyOverTime({ entries, name }: LatencyOverTimeProps) {
  const w = useWords();
  const id = useId();
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = entries.find(({ key }) => key === wanted) ?? entries[0];
  const figure = useMemo(() => chosen && latencyOverTimeFigure(w, entries, chosen), [w, entries, chosen]);
  if (!chosen || !figure) return null;
  return (
    <ChartFigure
      {...figure}
      csvName={`${name} ${figure.title}`}
      controls={
        entries.length > 1 && (
          <div className="no-print">
            <label htmlFor={id} className="sr-only">
              {w.t("figure.heat.entry")}
            </label>
            <select
              id={id}
              className="input w-auto max-w-full"
              value={chosen.key}
              onChange={(event) => setWanted(event.target.value)}
            >
              {entries.map((entry) => (
                <option key={entry.key} value={entry.key}>
                  {entry.name}
                </option>
              ))}
            </select>
          </div>
        )
      }
    />
  );
}
