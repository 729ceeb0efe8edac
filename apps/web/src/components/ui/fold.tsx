import type { ReactNode } from "react";
import { Text } from "./text";

interface FoldProps {
  title: string;
  /** One line that says what is in it, for who leaves it folded. */
  line: string;
  /** Where the line alone would hide something, such as a failure. */
  open?: boolean;
  /** Of the heading: 3 below the heading of a run. */
  level?: 2 | 3;
  children: ReactNode;
}

/** A long part of a page, folded to its heading and one line. Printed open. */
export function Fold({ title, line, open = false, level = 2, children }: FoldProps) {
  const Heading = level === 2 ? "h2" : "h3";
  return (
    <details open={open} data-fold>
      <summary>
        <Heading className="mr-2 inline text-[1.0715rem]">
          <Text text={title} />
        </Heading>
        <span className="text-ink-2">
          <Text text={line} />
        </span>
      </summary>
      <div className="mt-2">{children}</div>
    </details>
  );
}
