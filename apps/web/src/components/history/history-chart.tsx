"use client";

import { useMemo } from "react";
import { type Columns, rowsOf } from "@/lib/columns";
import { comparePath } from "@/lib/compare-path";
import { type Followed, type FollowedRun, historyFigure } from "@/lib/results/history-figure";
import { runPath } from "@/lib/run-path";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ChartFigure } from "../chart/chart-figure";

interface HistoryChartProps {
  workspace: string;
  followed: Followed;
  runs: Columns<FollowedRun> | null;
}

/** Labels and table of the runs are made in the browser: sent with the page, they made it five times as large. */
export function HistoryChart({ workspace, followed, runs }: HistoryChartProps) {
  const w = useWords();
  const figure = useMemo(() => {
    const hrefOf = (runId: string) => runPath(workspace, runId, followed.series.scenario);
    const compareOf = (...runIds: [string, string]) => comparePath(workspace, { runIds });
    return historyFigure(w, followed, rowsOf(runs), hrefOf, compareOf);
  }, [w, workspace, followed, runs]);
  const csvName = `history ${plainLine(followed.series.label)} ${followed.series.scenario}`;
  return <ChartFigure {...figure} csvName={csvName} />;
}
