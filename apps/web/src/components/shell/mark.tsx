/** The surveyor's bench mark: a level line, and the broad arrow that points at it. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} aria-hidden="true" className="flex-none">
      <path d="M2 3.5h16M10 6v12M10 6L3.5 18M10 6l6.5 12" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}
