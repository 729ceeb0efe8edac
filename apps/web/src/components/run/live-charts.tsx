"use client";

import type { TrialView } from "@rigmark/results";
import { useMemo } from "react";
import type { LiveRun } from "@/lib/live";
import { courseOf } from "@/lib/results/course";
import { blockName } from "@/lib/results/shape";
import { timeFigure } from "@/lib/results/time-figure";
import type { SeriesStyle } from "@/lib/series-style";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

/** The block that is being measured: rate and CPU of its trials, growing each second. Its place is kept beforehand. */
export function LiveCharts({ live, styles }: { live: LiveRun; styles: Map<string, SeriesStyle> }) {
  const w = useWords();
  const { run } = live;
  const current = run.trials.find((t) => t.trial_id === run.current?.trial_id);
  const drawn = run.trials.filter((t) => live.series.has(t.trial_id));
  const inBlock = drawn.some((t) => t.scenario === current?.scenario && t.block === current.block);
  // Until the first sample of a new block comes, the last block stays.
  const trial = inBlock ? current : (lastMeasured(drawn) ?? current);
  const figures = useMemo(() => {
    const course = courseOf(w, { ...run, series: [...live.series.values()] }, trial?.scenario ?? "");
    const block = trial?.block ?? 0;
    const points = [...live.series.values()].flatMap((s) => s.points);
    // Some tools print no rate while they run; bytes on the trial's loopback are known then.
    const byBytes =
      points.length > 0 &&
      points.every((p) => p.requests_per_s === null) &&
      points.some((p) => p.bytes_per_s !== null);
    return [
      timeFigure(w, course, styles, byBytes ? "bytes" : "rate", block),
      timeFigure(w, course, styles, "cpu", block),
    ];
  }, [w, run, live.series, styles, trial]);
  return (
    <section aria-label={figures.some((f) => f.empty === null) ? "Live charts" : "Charts to come"}>
      <h2 className="mb-2">
        {trial && trial !== current ? "Last measured" : "Now"}{" "}
        {trial && <span className="font-normal text-ink-2">{blockName(w, trial.block)}</span>}
      </h2>
      <div className="grid gap-4 lg:grid-cols-2">
        {figures.map((figure) => (
          <ChartFigure
            key={figure.title.startsWith("CPU") ? "cpu" : "rate"}
            {...figure}
            empty={figure.empty && "No samples yet. They come about once a second while a server is loaded."}
            holdHeight
            csvName={`${run.run_id.slice(0, 8)} ${figure.title}`}
          />
        ))}
      </div>
    </section>
  );
}

const lastMeasured = (trials: readonly TrialView[]): TrialView | undefined =>
  [...trials].sort((a, b) => (a.measured_from_s ?? 0) - (b.measured_from_s ?? 0)).at(-1);
