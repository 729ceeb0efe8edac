"use client";

import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { apply, choose, onChange, printLight, readChoice, THEMES, type Theme } from "@/lib/theme";

export function ThemeSwitch() {
  const t = useTranslations("ui.theme");
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
      aria-label={t("label", { now: t(theme), next: t(next) })}
    >
      {t(theme)}
    </button>
  );
}
