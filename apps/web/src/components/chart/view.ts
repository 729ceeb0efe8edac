/** The part of a time axis that is shown, in seconds. */
export interface View {
  from: number;
  to: number;
}

/** Less than this part of the axis is no view: a click that slipped, or two samples. */
const LEAST = 1 / 50;

const clamp = (n: number, { from, to }: View): number => Math.min(Math.max(n, from), to);
/** The ends of an axis are written down to a tenth. */
const rounded = (n: number, span: number): number => {
  const parts = span > 1 ? 10 : 1000;
  return Math.round(n * parts) / parts;
};

/** The view between two seconds in any order; null for the whole axis, or where next to nothing would be left. */
export function viewBetween(whole: View, a: number, b: number): View | null {
  const from = clamp(Math.min(a, b), whole);
  const to = clamp(Math.max(a, b), whole);
  const all = whole.to - whole.from;
  if (to - from < all * LEAST || to - from >= all) return null;
  return { from: rounded(from, to - from), to: rounded(to, to - from) };
}

/** Twice as near (0.5) or far (2) around a second, which stays in sight. */
export function viewNear(whole: View, view: View | null, times: number, around: number | null): View | null {
  const now = view ?? whole;
  const all = whole.to - whole.from;
  const span = Math.max((now.to - now.from) * times, all * LEAST);
  if (span >= all) return null;
  const middle = around ?? (now.from + now.to) / 2;
  const from = clamp(middle - span / 2, { from: whole.from, to: whole.to - span });
  return viewBetween(whole, from, from + span) ?? view;
}

export const isInView = (view: View | null, t_s: number | undefined): boolean =>
  view === null || t_s === undefined || (t_s >= view.from && t_s <= view.to);
