/** As tall as a page's first screen, so that nothing below jumps. */
export default function Loading() {
  return (
    <div className="min-h-[70vh]" role="status">
      <p className="text-ink-3">Loading…</p>
    </div>
  );
}
