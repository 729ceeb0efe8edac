"use client";

import { type RefObject, useEffect, useRef } from "react";

/** For a form that stands in place of the button that opens it: once it is gone, the button has the focus again. */
export function useFocusBack(open: boolean): RefObject<HTMLButtonElement | null> {
  const button = useRef<HTMLButtonElement>(null);
  const before = useRef(open);
  useEffect(() => {
    if (before.current && !open) button.current?.focus();
    before.current = open;
  }, [open]);
  return button;
}
