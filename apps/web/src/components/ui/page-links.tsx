import Link from "next/link";

interface PageLinksProps {
  label: string;
  /** What the list has, in the plural. */
  what?: string;
  /** The page that is shown, and the one after it; null: the first one, and none. */
  cursor: string | null;
  next: string | null;
  path: (cursor?: string) => string;
  className?: string;
}

/** From a page of a list to the first and the next one. */
export function PageLinks({ label, what, cursor, next, path, className = "" }: PageLinksProps) {
  if (cursor === null && next === null) return null;
  const of = what === undefined ? "" : ` ${what}`;
  return (
    <nav aria-label={label} className={`no-print flex flex-wrap gap-2 ${className}`}>
      {cursor !== null && (
        <Link className="btn" href={path()}>
          Newest{of}
        </Link>
      )}
      {next !== null && (
        <Link className="btn" href={path(next)}>
          Older{of}
        </Link>
      )}
    </nav>
  );
}
