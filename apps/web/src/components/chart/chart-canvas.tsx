"use client";

import type { Chart, ChartConfiguration } from "chart.js";
import { type KeyboardEvent, useCallback, useEffect, useRef, useState } from "react";
import { type ChartTheme, onThemeChange, readTheme } from "./theme";

/** A place that the arrow keys stop at: left and right along a series, up and down between them. */
export interface ChartStop {
  dataset: number;
  index: number;
  text: string;
}

export interface ChartSpec {
  height: number;
  build: (theme: ChartTheme) => ChartConfiguration;
  stops: ChartStop[][];
}

/** Owns the one Chart.js instance of a figure: made when the canvas is there, updated in place, destroyed with it. */
export function ChartCanvas({ spec, label }: { spec: ChartSpec; label: string }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart | null>(null);
  const latest = useRef(spec);
  latest.current = spec;
  const [failed, setFailed] = useState(false);

  const draw = useCallback(() => {
    const live = chart.current;
    if (!live) return;
    const next = latest.current.build(readTheme());
    live.data = next.data;
    live.options = next.options ?? {};
    live.update("none");
  }, []);

  useEffect(() => {
    let gone = false;
    import("./chartjs").then(
      ({ Chart }) => {
        if (gone || !canvas.current) return;
        chart.current = new Chart(canvas.current, latest.current.build(readTheme()));
        // A canvas that was drawn before the typeface arrived has the wrong one.
        document.fonts?.ready.then(draw);
      },
      () => setFailed(true),
    );
    const stop = onThemeChange(draw);
    return () => {
      gone = true;
      stop();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [draw]);

  useEffect(draw, [draw, spec]);

  const walk = useWalk(chart, spec.stops);
  return (
    <div className="relative min-w-0" style={{ height: spec.height }}>
      {failed ? (
        <p className="py-6 text-ink-2">The chart could not be loaded. The table has the same figures.</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no frame for a picture
        <div
          role="group"
          aria-label={`${label} Arrow keys walk its points.`}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys work here
          tabIndex={0}
          onKeyDown={walk.onKeyDown}
          onBlur={walk.onBlur}
          className="absolute inset-0"
        >
          <canvas ref={canvas} role="img" aria-label={label} />
        </div>
      )}
      <p className="sr-only" aria-live="polite">
        {walk.said}
      </p>
    </div>
  );
}

function useWalk(chart: { current: Chart | null }, stops: ChartStop[][]) {
  const at = useRef<[number, number] | null>(null);
  const [said, say] = useState("");
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const rows = stops.filter((row) => row.length > 0);
    if (!step || rows.length === 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const [row, place] = at.current ?? [0, -1];
    const nextRow = Math.min(Math.max(row + (at.current ? (step[0] ?? 0) : 0), 0), rows.length - 1);
    const line = rows[nextRow] ?? [];
    const nextPlace = Math.min(Math.max(place + (step[1] ?? 0), 0), line.length - 1);
    const stop = line[nextPlace];
    if (!stop) return;
    at.current = [nextRow, nextPlace];
    say(stop.text);
    const live = chart.current;
    const point = live?.getDatasetMeta(stop.dataset)?.data[stop.index];
    if (!live || !point) return;
    const active = [{ datasetIndex: stop.dataset, index: stop.index }];
    live.setActiveElements(active);
    live.tooltip?.setActiveElements(active, { x: point.x, y: point.y });
    live.update("none");
  };
  const onBlur = () => {
    at.current = null;
    const live = chart.current;
    if (!live) return;
    live.setActiveElements([]);
    live.tooltip?.setActiveElements([], { x: 0, y: 0 });
    live.update("none");
  };
  return { said, onKeyDown, onBlur };
}
