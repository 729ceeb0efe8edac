"use client";

import { useTheme } from "next-themes";
import { useEffect, useState } from "react";

const NEXT = { system: "light", light: "dark", dark: "system" } as const;
const NAMES = { system: "Auto", light: "Light", dark: "Dark" } as const;
type Theme = keyof typeof NEXT;

export function ThemeSwitch() {
  const { theme, setTheme } = useTheme();
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  // The server does not know the theme; "Auto" has the same width in both paints.
  const shown = (mounted ? (theme ?? "system") : "system") as Theme;
  return (
    <button
      type="button"
      className="btn min-w-14"
      data-kind="quiet"
      data-size="small"
      onClick={() => setTheme(NEXT[shown])}
      aria-label={`Theme: ${NAMES[shown]}. Change to ${NAMES[NEXT[shown]]}`}
    >
      {NAMES[shown]}
    </button>
  );
}
