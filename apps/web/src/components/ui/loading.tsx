/**
 * As tall as a page's first screen, so that nothing below jumps. Its status, 200, is sent before the page is known:
 * a page that can be missing lies beside the group with this file, never below it.
 */
export function Loading() {
  return (
    <div className="min-h-[70vh]" role="status">
      <p className="text-ink-3">Loading…</p>
    </div>
  );
}
