"use client";

import { useId, useMemo } from "react";
import { type HeatEntry, latencyOverTimeFigure } from "@/lib/results/latency-over-time-figure";
import { useQueryValue } from "@/lib/use-address-query";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

interface LatencyOverTimeProps {
  entries: readonly HeatEntry[];
  /** Names the CSV file. */
  name: string;
}

/** A heat map of one entry's latencies. The address holds, by its name, which entry that is. */
export function LatencyOverTime({ entries, name }: LatencyOverTimeProps) {
  const w = useWords();
  const id = useId();
  const [wanted, setWanted] = useQueryValue("latencies-of");
  const chosen = entries.find(({ name: entry }) => entry === wanted) ?? entries[0];
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
              value={chosen.name}
              onChange={(event) => setWanted(event.target.value)}
            >
              {entries.map((entry) => (
                <option key={entry.key} value={entry.name}>
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
