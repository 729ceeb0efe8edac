"use client";

import { useMemo } from "react";
import { type Columns, rowsOf } from "@/lib/columns";
import { type Followed, type FollowedRun, historyFigure } from "@/lib/results/history-figure";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

interface HistoryChartProps {
  followed: Followed;
  runs: Columns<FollowedRun> | null;
}

/** Labels and table of 2,000 runs are made where they are seen: sent with the page they would be eight times its size. */
export function HistoryChart({ followed, runs }: HistoryChartProps) {
  const w = useWords();
  const figure = useMemo(() => historyFigure(w, followed, rowsOf(runs)), [w, followed, runs]);
  return <ChartFigure {...figure} csvName={`history ${followed.series.label} ${followed.series.scenario}`} />;
}
