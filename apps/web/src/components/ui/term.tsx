import type { ReactNode } from "react";
import type { TermId } from "@/docs/terms";

/** A word of the glossary: a quiet link to its line there. */
export const Term = ({ id, children }: { id: TermId; children: ReactNode }) => (
  <a className="term" href={`/docs/glossary#${id}`}>
    {children}
  </a>
);

export const MaybeTerm = ({ id, children }: { id: TermId | undefined; children: ReactNode }) =>
  id ? <Term id={id}>{children}</Term> : children;
