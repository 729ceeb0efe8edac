"use client";

import { useLayoutEffect } from "react";
import { apply, onChange, readChoice } from "@/lib/theme";

/**
 * In a frame nobody chooses a theme: it follows the system. Where a page is not found, the browser draws the root itself and
 * runs no theme.js.
 */
export function EmbedTheme(): null {
  useLayoutEffect(() => {
    const read = () => apply(readChoice());
    read();
    return onChange(read);
  }, []);
  return null;
}
