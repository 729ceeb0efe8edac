import { useSyncExternalStore } from "react";

/** The second that is pointed at in one of the page's time charts: the others mark it, too. */
interface LinkedTime {
  t_s: number;
  /** The chart where it is pointed at. */
  chart: string;
}

let now: LinkedTime | null = null;
const listeners = new Set<() => void>();

/** Null when nothing is pointed at. */
export function pointAtTime(chart: string, t_s: number | null): void {
  if (t_s === null && now?.chart !== chart) return;
  if (now?.chart === chart && now.t_s === t_s) return;
  now = t_s === null ? null : { t_s, chart };
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};
const none = () => null;

/** What another chart points at; always null for a chart whose axis is not time. */
export function useLinkedTime(chart: string, isTime: boolean): number | null {
  const linked = useSyncExternalStore(subscribe, isTime ? () => now : none, none);
  return linked && linked.chart !== chart ? linked.t_s : null;
}
