import type { Chart } from "chart.js";
import { type KeyboardEvent, type MouseEvent, type PointerEvent, useRef, useState } from "react";
import type { ChartSpec, ChartStop } from "./spec";
import { isInView, type View } from "./view";

/** The point that is pointed at, by pointer or by keys: its words and its place on the canvas. */
export interface Readout {
  text: string;
  /** Where the point leads. */
  href: string | undefined;
  x: number;
  y: number;
}

const STEPS: Record<string, readonly [number, number]> = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
};
/** Farther from any point than this, a pointer points at nothing. */
const REACH = 60;

interface ChartWalk {
  chart: { current: Chart | null };
  spec: { current: ChartSpec | null };
  /** Of a time axis: what lies outside is no stop. */
  view: View | null;
  /** Told which second is pointed at, or null. */
  onTime: (t_s: number | null) => void;
}

export function useChartWalk({ chart, spec, view, onTime }: ChartWalk) {
  const at = useRef<readonly [number, number] | null>(null);
  const time = useRef<number | null>(null);
  /** A finger reads the point that it touches; what it leads to is in the table. */
  const touched = useRef(false);
  const [readout, setReadout] = useState<Readout | null>(null);

  const show = (stop: ChartStop | null) => {
    const live = chart.current;
    const point = stop && live?.getDatasetMeta(stop.dataset)?.data[stop.index];
    live?.setActiveElements(stop && point ? [{ datasetIndex: stop.dataset, index: stop.index }] : []);
    live?.update("none");
    setReadout(stop && point ? { text: stop.text, href: stop.href, x: point.x, y: point.y } : null);
    time.current = stop?.t_s ?? null;
    onTime(time.current);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter" && readout?.href !== undefined) {
      event.preventDefault();
      follow(readout.href, event);
      return;
    }
    const step = STEPS[event.key];
    const rows = (spec.current?.stops ?? [])
      .map((row) => row.filter((stop) => isInView(view, stop.t_s)))
      .filter((row) => row.length > 0);
    if (!step || rows.length === 0 || event.metaKey || event.ctrlKey || event.altKey) return;
    event.preventDefault();
    const [row, place] = at.current ?? [0, -1];
    const nextRow = clamp(row + (at.current ? step[0] : 0), rows.length);
    const nextPlace = clamp(place + step[1], rows[nextRow]?.length ?? 1);
    at.current = [nextRow, nextPlace];
    show(rows[nextRow]?.[nextPlace] ?? null);
  };

  const stopNear = (event: MouseEvent): ChartStop | undefined => {
    const live = chart.current;
    if (!live) return undefined;
    const [hit] = live.getElementsAtEventForMode(event.nativeEvent, "nearest", { intersect: false }, false);
    const box = event.currentTarget.getBoundingClientRect();
    const far = hit
      ? Math.hypot(hit.element.x - (event.clientX - box.left), hit.element.y - (event.clientY - box.top))
      : REACH;
    return hit && (far < REACH || live.getDatasetMeta(hit.datasetIndex).type === "bar")
      ? spec.current?.stops.flat().find((s) => s.dataset === hit.datasetIndex && s.index === hit.index)
      : undefined;
  };

  const onPointerMove = (event: PointerEvent) => {
    if (!chart.current) return;
    const stop = stopNear(event);
    if (stop?.text !== readout?.text) show(stop ?? null);
  };

  const onPointerDown = (event: PointerEvent) => {
    touched.current = event.pointerType === "touch";
    onPointerMove(event);
  };

  const onClick = (event: MouseEvent) => {
    const href = touched.current ? undefined : stopNear(event)?.href;
    if (href !== undefined) follow(href, event);
  };

  const leave = () => {
    at.current = null;
    show(null);
  };
  return {
    readout,
    time,
    handlers: {
      onKeyDown,
      onBlur: leave,
      onPointerMove,
      onPointerDown,
      onClick,
      onPointerLeave: leave,
    },
  };
}

/** As a link does: in a tab of its own where a key is held. */
function follow(href: string, { metaKey, ctrlKey }: KeyboardEvent | MouseEvent): void {
  if (metaKey || ctrlKey) window.open(href, "_blank", "noopener");
  else window.location.assign(href);
}

const clamp = (n: number, length: number): number => Math.min(Math.max(n, 0), length - 1);
