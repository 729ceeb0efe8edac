"use client";

import { useMemo } from "react";
import { type Columns, rowsOf } from "@/lib/columns";
import { type Followed, type FollowedRun, historyFigure } from "@/lib/results/history-figure";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

interface HistoryChartProps {
  followed: Followed;
  runs: Columns<FollowedRun> | null;
}

/** Labels and table of the runs are made in the browser: sent with the page, they made it five times as large. */
export function HistoryChart({ followed, runs }: HistoryChartProps) {
  const w = useWords();
  const figure = useMemo(() => historyFigure(w, followed, rowsOf(runs)), [w, followed, runs]);
  const csvName = `history ${plainLine(followed.series.label)} ${followed.series.scenario}`;
  return <ChartFigure {...figure} csvName={csvName} />;
}
