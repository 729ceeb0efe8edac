"use client";

import { useMemo } from "react";
import type { Compared } from "@/lib/results/compared";
import { ratioFigure } from "@/lib/results/ratio-figure";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

/** The ratios of each scenario with their intervals. */
export function RatioFigures({ of }: { of: Compared }) {
  const w = useWords();
  const figures = useMemo(() => of.scenarios.map((scenario) => ratioFigure(w, of, scenario)), [w, of]);
  return of.scenarios.map((scenario, place) => {
    const figure = figures[place];
    return (
      figure && (
        <ChartFigure
          key={`${scenario.scenario} ${scenario.rows[0]?.run}`}
          {...figure}
          csvName={`compare ${scenario.scenario}`}
        />
      )
    );
  });
}
