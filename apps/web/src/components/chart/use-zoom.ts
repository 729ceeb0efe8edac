import type { Chart } from "chart.js";
import { type KeyboardEvent, type PointerEvent, useRef, useState } from "react";
import { type View, viewBetween, viewNear } from "./view";

/** A narrower drag is a click. */
const LEAST_PX = 8;

interface Drag {
  from_px: number;
  to_px: number;
}

/** Zoom along a time axis: by dragging across the chart, or with + and −. `whole` is null where there is nothing to zoom. */
export function useZoom(chart: { current: Chart | null }, whole: View | null) {
  const [wanted, setWanted] = useState<View | null>(null);
  const [drag, setDrag] = useState<Drag | null>(null);
  const began = useRef<number | null>(null);
  // Another block may have a shorter axis.
  const view = whole && wanted ? viewBetween(whole, wanted.from, wanted.to) : null;

  const placeOf = (event: PointerEvent): number => {
    const { left, right } = chart.current?.chartArea ?? { left: 0, right: 0 };
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    return Math.min(Math.max(x, left), right);
  };
  const end = () => {
    began.current = null;
    setDrag(null);
  };
  const reset = () => setWanted(null);

  const onPointerDown = (event: PointerEvent) => {
    if (!whole || !chart.current || event.button !== 0) return;
    began.current = placeOf(event);
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const onPointerMove = (event: PointerEvent) => {
    if (began.current !== null) setDrag({ from_px: began.current, to_px: placeOf(event) });
  };
  const onPointerUp = () => {
    const x = chart.current?.scales.x;
    if (whole && x && drag && Math.abs(drag.to_px - drag.from_px) >= LEAST_PX) {
      const [a, b] = [x.getValueForPixel(drag.from_px), x.getValueForPixel(drag.to_px)];
      if (a !== undefined && b !== undefined) setWanted(viewBetween(whole, a, b) ?? view);
    }
    end();
  };
  /** `around`: the second that the arrow keys stand at. */
  const onKeyDown = (event: KeyboardEvent, around: number | null) => {
    if (!whole || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "+" || event.key === "=") setWanted(viewNear(whole, view, 0.5, around));
    else if (event.key === "-") setWanted(viewNear(whole, view, 2, around));
    else if (event.key === "0") reset();
    else return;
    event.preventDefault();
  };
  const isDragged = drag !== null && Math.abs(drag.to_px - drag.from_px) >= LEAST_PX;
  return {
    view,
    drag: isDragged ? drag : null,
    reset,
    onKeyDown,
    handlers: { onPointerDown, onPointerMove, onPointerUp, onPointerCancel: end, onDoubleClick: reset },
  };
}
