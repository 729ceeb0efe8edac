"use client";

import { useId, useMemo } from "react";
import { type Course, pointsOf } from "@/lib/results/course";
import { blockName } from "@/lib/results/shape";
import { knownMetrics, metricsWithCourse, type TimeMetric, timeFigure } from "@/lib/results/time-figure";
import type { SeriesStyle } from "@/lib/series-style";
import { useQueryValue } from "@/lib/use-address-query";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

interface OverTimeProps {
  course: Course;
  styles: Map<string, SeriesStyle>;
  /** Begins the names of CSV files. */
  name: string;
}

/** The course of the trials: rate, bytes, CPU or memory, over all blocks or one. The address holds both for all scenarios. */
export function OverTime({ course, styles, name }: OverTimeProps) {
  const w = useWords();
  const id = useId();
  const { known, courses } = useMemo(() => {
    const sampled = course.trials.map((trial) => ({ points: pointsOf(trial) }));
    return { known: knownMetrics(sampled), courses: metricsWithCourse(sampled) };
  }, [course]);
  const [wantedMetric, setMetric] = useQueryValue("over-time");
  const [wantedBlock, setBlock] = useQueryValue("block");
  const metric: TimeMetric = known.find((m) => m === wantedMetric) ?? courses[0] ?? known[0] ?? "rate";
  const blocks = [...new Set(course.trials.map((t) => t.block))].sort((a, b) => a - b);
  const block = blocks.find((b) => String(b) === wantedBlock) ?? null;
  const figure = useMemo(
    () => timeFigure(w, course, styles, metric, block),
    [w, course, styles, metric, block],
  );
  return (
    <ChartFigure
      {...figure}
      empty={figure.empty ?? (courses.includes(metric) ? null : w.t("figure.time.noCourse"))}
      csvName={`${name} ${figure.title}`}
      controls={
        <div className="no-print flex flex-wrap items-center gap-2">
          <label htmlFor={`${id}-metric`} className="sr-only">
            {w.t("figure.time.shown")}
          </label>
          <select
            id={`${id}-metric`}
            className="input w-auto"
            value={metric}
            onChange={(event) => setMetric(event.target.value)}
          >
            {(known.length > 0 ? known : [metric]).map((m) => (
              <option key={m} value={m}>
                {w.t(`figure.time.${m}`)}
              </option>
            ))}
          </select>
          {blocks.length > 1 && (
            <>
              <label htmlFor={`${id}-block`} className="sr-only">
                {w.t("figure.time.blocksShown")}
              </label>
              <select
                id={`${id}-block`}
                className="input w-auto"
                value={block ?? ""}
                onChange={(event) => setBlock(event.target.value)}
              >
                <option value="">{w.t("figure.time.allBlocks")}</option>
                {blocks.map((b) => (
                  <option key={b} value={b}>
                    {blockName(w, b)}
                  </option>
                ))}
              </select>
            </>
          )}
        </div>
      }
    />
  );
}
