import type { CSSProperties, ReactNode } from "react";

interface ScrollBoxProps {
  label: string;
  className?: string;
  style?: CSSProperties | undefined;
  children: ReactNode;
}

/** What is wider than the page scrolls in a box of its own, also by keyboard. No landmark: a page has many of them. */
export const ScrollBox = ({ label, className = "", style, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
  <div role="group" aria-label={label} tabIndex={0} className={`scroll-x ${className}`} style={style}>
    {children}
  </div>
);
