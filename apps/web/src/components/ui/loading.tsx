/** As tall as a page's first screen, so that nothing below jumps. Lists only: what may not exist answers 404 instead. */
export function Loading() {
  return (
    <div className="min-h-[70vh]" role="status">
      <p className="text-ink-3">Loading…</p>
    </div>
  );
}
