import type { LatencyCurve } from "@rigmark/results";
import { useId, useMemo, useState } from "react";
import { heatChoices, latencyOverTimeFigure } from "@/lib/results/latency-over-time-figure";
import type { ResultRun } from "@/lib/results/shape";
import type { SeriesStyle } from "@/lib/series-style";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

interface LatencyOverTimeProps {
  run: ResultRun;
  scenario: string;
  curves: readonly LatencyCurve[];
  styles: Map<string, SeriesStyle>;
  name: string;
}

/** A heat map of one entry's latencies, and which entry that is. Nothing where the tool does not tell them over time. */
export function LatencyOverTime({ run, scenario, curves, styles, name }: LatencyOverTimeProps) {
  const w = useWords();
  const id = useId();
  const choices = useMemo(() => heatChoices(run, scenario, curves), [run, scenario, curves]);
  const [wanted, setWanted] = useState<string | null>(null);
  const chosen = choices.find(({ key }) => key === wanted) ?? choices[0];
  const style = chosen && styles.get(chosen.key);
  const figure = useMemo(
    () => (chosen && style ? latencyOverTimeFigure(w, run, scenario, curves, chosen, style) : null),
    [w, run, scenario, curves, chosen, style],
  );
  if (!chosen || !figure) return null;
  return (
    <ChartFigure
      {...figure}
      csvName={`${name} ${scenario} ${figure.title}`}
      controls={
        choices.length > 1 && (
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
              {choices.map((choice) => (
                <option key={choice.key} value={choice.key}>
                  {choice.name}
                </option>
              ))}
            </select>
          </div>
        )
      }
    />
  );
}
