import type { CSSProperties, ReactNode } from "react";

interface ScrollBoxProps {
  label: string;
  className?: string;
  style?: CSSProperties | undefined;
  /** What may be longer than the window: there it scrolls down as well, below a head that stays. */
  tall?: boolean;
  children: ReactNode;
}

/** What is wider than the page scrolls in a box of its own, also by keyboard. No landmark: a page has many of them. */
export const ScrollBox = ({ label, className = "", style, tall = false, children }: ScrollBoxProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms
  <div
    role="group"
    aria-label={label}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    tabIndex={0}
    className={`scroll-x ${className}`}
    style={style}
    data-tall={tall || undefined}
  >
    {children}
  </div>
);
