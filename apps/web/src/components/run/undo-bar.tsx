"use client";

import { type RefObject, useEffect, useRef } from "react";
import { plural } from "@/lib/text";

interface UndoBarProps {
  /** Runs that were deleted. */
  runs: number;
  busy: boolean;
  undo: () => void;
  bar: RefObject<HTMLElement | null>;
}

/** Whoever deleted by keyboard is on the button that takes it back. */
export function UndoBar({ runs, busy, undo, bar }: UndoBarProps) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => button.current?.focus(), []);
  return (
    <section
      ref={bar}
      aria-label="Deleted runs"
      className="panel sticky bottom-3 z-10 mt-3 flex flex-wrap items-center gap-3 px-4 py-2 shadow-md"
    >
      <span className="mr-auto" role="status">
        {plural(runs, "run")} deleted
      </span>
      <button ref={button} type="button" className="btn" disabled={busy} onClick={undo}>
        Undo
      </button>
    </section>
  );
}
