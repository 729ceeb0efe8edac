"use client";

import { bare } from "@rigmark/messages";
import type { Chart } from "chart.js";
import {
  type KeyboardEvent,
  type PointerEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";
import type { ChartData } from "./chart-data";
import { pointAtTime, useLinkedTime } from "./linked-time";
import type { ChartSpec } from "./spec";
import { onThemeChange, readTheme } from "./theme";
import { useChartWalk } from "./use-chart-walk";
import { useZoom } from "./use-zoom";

interface ChartCanvasProps {
  data: ChartData;
  label: string;
  /** In pixels, known before anything is drawn. */
  height: number;
}

/** What keys do in a chart, where that is more than to move between its points. */
const KEYS: Partial<Record<ChartData["kind"], string>> = {
  history: "ui.historyChartKeys",
  time: "ui.timeChartKeys",
};

let lastTurn: Promise<unknown> = Promise.resolve();
/** Resolves after the charts before it were drawn, each in a task of its own: twenty-five in one task block the page for a second. */
function myTurn(): Promise<unknown> {
  lastTurn = lastTurn.then(() => new Promise((next) => setTimeout(next)));
  return lastTurn;
}

/** Owns the one Chart.js instance of a figure: made when the canvas is there, updated in place, destroyed with it. */
export function ChartCanvas({ data, label, height }: ChartCanvasProps) {
  const w = useWords();
  const id = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart | null>(null);
  const spec = useRef<ChartSpec | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const words = useRef(w);
  words.current = w;
  const isTime = data.kind === "time";
  const zoom = useZoom(chart, isTime ? { from: data.from_s, to: data.to_s } : null);
  const view = useRef(zoom.view);
  view.current = zoom.view;
  /** What the chart shows. */
  const drawn = useRef<{ data: ChartData; from: number | undefined; to: number | undefined } | null>(null);
  const [lib, setLib] = useState<typeof import("./chartjs") | "failed" | null>(null);

  useEffect(() => {
    let gone = false;
    import("./chartjs").then(
      (loaded) => myTurn().then(() => !gone && setLib(loaded)),
      () => !gone && setLib("failed"),
    );
    return () => {
      gone = true;
    };
  }, []);

  const draw = useCallback(() => {
    const live = chart.current;
    if (!live || !spec.current) return;
    const next = spec.current.build(readTheme(), view.current);
    live.data = next.data;
    live.options = next.options ?? {};
    live.update("none");
  }, []);

  useEffect(() => {
    if (!lib || lib === "failed" || !canvas.current) return;
    spec.current = lib.specOf(words.current, latest.current);
    chart.current = new lib.Chart(canvas.current, spec.current.build(readTheme(), view.current));
    drawn.current = { data: latest.current, from: view.current?.from, to: view.current?.to };
    // A canvas that was drawn before the typeface arrived has the wrong one.
    if (document.fonts?.status === "loading") document.fonts.ready.then(draw);
    const stop = onThemeChange(draw);
    return () => {
      stop();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [lib, draw]);

  useEffect(() => {
    if (!lib || lib === "failed") return;
    const [from, to] = [zoom.view?.from, zoom.view?.to];
    const { current: last } = drawn;
    // It has just been made so.
    if (last?.data === data && last.from === from && last.to === to) return;
    drawn.current = { data, from, to };
    spec.current = lib.specOf(words.current, data);
    draw();
  }, [lib, draw, data, zoom.view?.from, zoom.view?.to]);

  const walk = useChartWalk({
    chart,
    spec,
    view: zoom.view,
    onTime: (t_s) => isTime && pointAtTime(id, t_s),
  });
  const { readout } = walk;
  const linked = useLinkedTime(id, isTime);
  const pointer = isTime ? "touch-pan-y select-none" : readout?.href ? "cursor-pointer" : "";
  const handlers = {
    ...walk.handlers,
    ...zoom.handlers,
    onKeyDown: (event: KeyboardEvent) => {
      zoom.onKeyDown(event, walk.time.current);
      walk.handlers.onKeyDown(event);
    },
    onPointerDown: (event: PointerEvent) => {
      zoom.handlers.onPointerDown(event);
      walk.handlers.onPointerDown(event);
    },
    onPointerMove: (event: PointerEvent) => {
      zoom.handlers.onPointerMove(event);
      walk.handlers.onPointerMove(event);
    },
  };
  return (
    <div className="relative min-w-0" style={{ height }}>
      {lib === "failed" ? (
        <p className="py-6 text-ink-2">{w.t("ui.chartFailed")}</p>
      ) : (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset is no frame for a picture
        <div
          role="group"
          aria-label={bare(w.t(KEYS[data.kind] ?? "ui.chartKeys", { label }))}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys work here
          tabIndex={0}
          className={`absolute inset-0 ${pointer}`}
          {...handlers}
        >
          {/* Before it is drawn, a canvas is 300 px wide: more than there is on a small screen. */}
          <canvas ref={canvas} className="max-w-full" role="img" aria-label={bare(label)} />
        </div>
      )}
      {zoom.drag && <TimeMark chart={chart.current} from={zoom.drag.from_px} to={zoom.drag.to_px} />}
      {linked !== null && <TimeMark chart={chart.current} at={linked} />}
      {zoom.view && (
        <button
          type="button"
          className="btn no-print absolute top-0 right-0 z-10"
          data-size="small"
          onClick={() => {
            zoom.reset();
            // The button goes; who came here by keyboard stays at the chart.
            canvas.current?.parentElement?.focus();
          }}
        >
          {w.t("ui.showAll")}
        </button>
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

type TimeMarkProps = { chart: Chart | null } & ({ at: number } | { from: number; to: number });

/** Over a time chart: a second that another chart points at, or what is being dragged across, in pixels. */
function TimeMark({ chart, ...of }: TimeMarkProps) {
  const area = chart?.chartArea;
  const x = chart?.scales.x;
  if (!area || !x) return null;
  const [from, to] = "at" in of ? [x.getPixelForValue(of.at), x.getPixelForValue(of.at)] : [of.from, of.to];
  const left = Math.min(from, to);
  if (left < area.left - 1 || left > area.right + 1) return null;
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute border-accent border-x"
      style={{
        left,
        width: Math.abs(to - from),
        top: area.top,
        height: area.bottom - area.top,
        background: "var(--shade)",
      }}
    />
  );
}
