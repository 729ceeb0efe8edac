"use client";

import { bare } from "@rigmark/messages";
import type { Chart } from "chart.js";
import { useCallback, useEffect, useRef, useState } from "react";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";
import { type ChartData, chartHeight } from "./chart-data";
import type { ChartSpec } from "./spec";
import { onThemeChange, readTheme } from "./theme";
import { useChartWalk } from "./use-chart-walk";

/** Owns the one Chart.js instance of a figure: made when the canvas is there, updated in place, destroyed with it. */
export function ChartCanvas({ data, label }: { data: ChartData; label: string }) {
  const w = useWords();
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart | null>(null);
  const spec = useRef<ChartSpec | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const words = useRef(w);
  words.current = w;
  const [lib, setLib] = useState<typeof import("./chartjs") | "failed" | null>(null);

  useEffect(() => {
    let gone = false;
    import("./chartjs").then(
      (loaded) => !gone && setLib(loaded),
      () => !gone && setLib("failed"),
    );
    return () => {
      gone = true;
    };
  }, []);

  const draw = useCallback(() => {
    const live = chart.current;
    if (!live || !spec.current) return;
    const next = spec.current.build(readTheme());
    live.data = next.data;
    live.options = next.options ?? {};
    live.update("none");
  }, []);

  useEffect(() => {
    if (!lib || lib === "failed" || !canvas.current) return;
    spec.current = lib.specOf(words.current, latest.current);
    chart.current = new lib.Chart(canvas.current, spec.current.build(readTheme()));
    // A canvas that was drawn before the typeface arrived has the wrong one.
    document.fonts?.ready.then(draw);
    const stop = onThemeChange(draw);
    return () => {
      stop();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [lib, draw]);

  useEffect(() => {
    if (!lib || lib === "failed") return;
    spec.current = lib.specOf(words.current, data);
    draw();
  }, [lib, draw, data]);

  const { readout, handlers } = useChartWalk(chart, spec);
  return (
    <div className="relative min-w-0" style={{ height: chartHeight(data) }}>
      {lib === "failed" ? (
        <p className="py-6 text-ink-2">{w.t("ui.chartFailed")}</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no frame for a picture
        <div
          role="group"
          aria-label={bare(w.t("ui.chartKeys", { label }))}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys work here
          tabIndex={0}
          className="absolute inset-0"
          {...handlers}
        >
          <canvas ref={canvas} role="img" aria-label={bare(label)} />
        </div>
      )}
      {readout && (
        <p
          aria-hidden="true"
          className="pointer-events-none absolute z-10 w-max max-w-60 -translate-x-1/2 rounded-md border border-line-strong bg-panel px-2 py-1 text-[0.857rem] leading-snug [overflow-wrap:anywhere]"
          style={{ left: `clamp(7.5rem, ${readout.x}px, calc(100% - 7.5rem))`, ...beside(readout.y) }}
        >
          <Text text={readout.text} />
        </p>
      )}
      <p className="sr-only" aria-live="polite">
        {readout && <Text text={readout.text} />}
      </p>
    </div>
  );
}

/** Above the point where there is room, else under it. */
const beside = (y: number) => (y > 70 ? { top: y - 10, transform: "translateY(-100%)" } : { top: y + 12 });
