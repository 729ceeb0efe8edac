"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CompareState } from "@/lib/compare-path";
import type { Compared } from "@/lib/results/compared";
import { comparedCurvesFigure } from "@/lib/results/compared-curves-figure";
import { useWords } from "@/lib/words";
import { useTRPC } from "@/trpc/client";
import { ChartFigure } from "../chart/chart-figure";
import { Problem } from "../ui/problem";

interface ComparedCurvesProps {
  workspace: string;
  state: CompareState;
  of: Compared;
}

/** Latency percentiles over each other. Read when somebody opens it: the histograms of twenty runs are large. */
export function ComparedCurves({ workspace, state, of }: ComparedCurvesProps) {
  const w = useWords();
  const trpc = useTRPC();
  const [open, setOpen] = useState(false);
  const { runIds, reports } = state;
  const { data, error } = useQuery(
    trpc.run.compareCurves.queryOptions({ workspace, runIds, reports }, { enabled: open }),
  );
  const figures =
    data &&
    of.scenarios.flatMap((scenario) => {
      const figure = comparedCurvesFigure(w, of, scenario, data);
      return figure ? [{ figure, key: `${scenario.scenario} ${scenario.rows[0]?.run}` }] : [];
    });
  return (
    <details data-fold onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <h2 className="mr-2 inline text-[1.0715rem]">Latency percentiles</h2>
        <span className="text-ink-2">of each entry in each run, in one chart</span>
      </summary>
      <div className="mt-2 space-y-4">
        {error && <Problem message={error.message} />}
        {!error && !figures && (
          <p role="status" className="no-print text-ink-2">
            Adding up the histograms…
          </p>
        )}
        {figures?.length === 0 && (
          <p className="text-ink-2">
            None of these runs has latency histograms to show. Some load tools report only single percentiles;
            see the page of each run.
          </p>
        )}
        {figures?.map(({ figure, key }) => (
          <ChartFigure key={key} {...figure} csvName={`latency ${key}`} />
        ))}
      </div>
    </details>
  );
}
