import type { ReactNode } from "react";

export function PageHead({
  title,
  beside,
  children,
  actions,
}: {
  title: ReactNode;
  /** What can be done with the title itself. */
  beside?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <header className="mb-5 flex flex-wrap items-start gap-x-6 gap-y-3">
      <div className="mr-auto min-w-0 flex-1 basis-64">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <h1 className="min-w-0 [overflow-wrap:anywhere]">{title}</h1>
          {beside}
        </div>
        {children && <div className="mt-1 text-ink-2">{children}</div>}
      </div>
      {actions && <div className="no-print flex flex-wrap items-center gap-2">{actions}</div>}
    </header>
  );
}
