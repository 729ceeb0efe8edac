import type { SeriesStyle } from "@/lib/series-style";

/** The page's own variables, read when a chart is drawn: a canvas does not inherit CSS. */
export interface ChartTheme {
  ink: string;
  ink2: string;
  ink3: string;
  line: string;
  panel: string;
  shade: string;
  shadeBad: string;
  font: string;
  fill: (style: SeriesStyle) => string;
  edge: (style: SeriesStyle) => string;
}

export function readTheme(of: Element = document.documentElement): ChartTheme {
  const css = getComputedStyle(of);
  const read = (name: string) => css.getPropertyValue(`--${name}`).trim();
  return {
    ink: read("ink"),
    ink2: read("ink-2"),
    ink3: read("ink-3"),
    line: read("line"),
    panel: read("panel"),
    shade: read("shade"),
    shadeBad: read("shade-bad"),
    font: getComputedStyle(document.body).fontFamily,
    fill: (style) => read(`series-${style.hue}`),
    edge: (style) => read(`edge-${style.hue}`),
  };
}

/** Paper and slides are white, whatever the page is. */
export function withLightTheme<T>(work: (theme: ChartTheme) => T): T {
  const light = document.createElement("div");
  light.dataset.theme = "light";
  light.hidden = true;
  document.body.append(light);
  try {
    return work(readTheme(light));
  } finally {
    light.remove();
  }
}

/** Calls back when the theme changes, by the switch or by the system. */
export function onThemeChange(callback: () => void): () => void {
  const observer = new MutationObserver(callback);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "class"] });
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", callback);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", callback);
  };
}
