/** As tall as a page's first screen, so that nothing below jumps. What is not there, below a page that loads so, answers 200 with words of its own. */
export function Loading() {
  return (
    <div className="min-h-[70vh]" role="status">
      <p className="text-ink-3">Loading…</p>
    </div>
  );
}
