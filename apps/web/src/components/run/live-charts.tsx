"use client";

import { useMemo } from "react";
import type { LiveRun } from "@/lib/live";
import { blockName } from "@/lib/results/shape";
import { timeFigure } from "@/lib/results/time-figure";
import type { SeriesStyle } from "@/lib/series-style";
import { ChartFigure } from "../chart/chart-figure";

/** The block that is being measured: rate and CPU of its trials, growing each second. */
export function LiveCharts({ live, styles }: { live: LiveRun; styles: Map<string, SeriesStyle> }) {
  const { run } = live;
  const trial =
    run.trials.find((t) => t.trial_id === run.current?.trial_id) ??
    run.trials.find((t) => t.state === "running") ??
    run.trials.filter((t) => live.series.has(t.trial_id)).at(-1);
  const figures = useMemo(() => {
    if (!trial) return null;
    const all = { ...run, series: [...live.series.values()] };
    const rate = timeFigure(all, trial.scenario, styles, "rate", trial.block);
    const bytes = timeFigure(all, trial.scenario, styles, "bytes", trial.block);
    const mine = live.series.get(trial.trial_id)?.points ?? [];
    // Some tools print no rate while they run; bytes on the trial's loopback are known then.
    const byBytes =
      mine.length > 0 &&
      mine.every((p) => p.requests_per_s === null) &&
      mine.some((p) => p.bytes_per_s !== null);
    return [byBytes ? bytes : rate, timeFigure(all, trial.scenario, styles, "cpu", trial.block)];
  }, [run, live.series, styles, trial]);
  if (!trial || !figures) return null;
  return (
    <section aria-label="Live charts">
      <h2 className="mb-2">
        Now <span className="font-normal text-ink-2">{blockName(trial.block)}</span>
      </h2>
      <div className="grid gap-4 lg:grid-cols-2">
        {figures.map((figure) => (
          <ChartFigure key={figure.title} {...figure} csvName={`${run.run_id.slice(0, 8)} ${figure.title}`} />
        ))}
      </div>
    </section>
  );
}
