import { bare } from "@rigmark/messages";
import type { ReactNode } from "react";
import { useWords } from "@/lib/words";

/** A "#" that leads to where it stands, to send somebody there. Seen under the pointer and when focused. */
export const Anchor = ({ href, label }: { href: string; label: string }) => (
  <a className="anchor no-print" href={href} aria-label={label}>
    #
  </a>
);

interface AnchoredProps {
  href: string;
  title: string;
  /** The heading. What leads to it is beside it: a heading is called what it says. */
  children: ReactNode;
}

export function Anchored({ href, title, children }: AnchoredProps) {
  const w = useWords();
  return (
    <div className="anchored">
      {children}
      <Anchor href={href} label={bare(w.t("ui.linkTo", { title }))} />
    </div>
  );
}
