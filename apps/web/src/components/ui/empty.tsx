import type { ReactNode } from "react";

/** An empty state: what would be here, and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children: ReactNode;
  action?: ReactNode;
}) {
  return (
    <section className="panel px-5 py-10 sm:px-8">
      <h2>{title}</h2>
      <div className="mt-1.5 max-w-[60ch] text-ink-2">{children}</div>
      {action && <div className="mt-5 flex flex-wrap gap-2">{action}</div>}
    </section>
  );
}
