"use client";

import { useEffect, useState } from "react";
import { apply, choose, onChange, printLight, readChoice, THEMES, type Theme } from "@/lib/theme";

const NAMES: Record<Theme, string> = { system: "Auto", light: "Light", dark: "Dark" };

export function ThemeSwitch() {
  // The server does not know the choice; both paints begin with the same word.
  const [theme, setTheme] = useState<Theme>("system");
  useEffect(() => {
    const read = () => {
      const choice = readChoice();
      setTheme(choice);
      apply(choice);
    };
    read();
    const stops = [onChange(read), printLight()];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
  const change = () => {
    choose(next);
    setTheme(next);
  };
  return (
    <button
      type="button"
      className="btn min-w-14"
      data-kind="quiet"
      data-size="small"
      onClick={change}
      aria-label={`Theme: ${NAMES[theme]}. Change to ${NAMES[next]}`}
    >
      {NAMES[theme]}
    </button>
  );
}
