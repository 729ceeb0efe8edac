export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "theme";
const system = () => matchMedia("(prefers-color-scheme: dark)");

export function readChoice(): Theme {
  try {
    const stored = localStorage.getItem(KEY);
    return THEMES.find((theme) => theme === stored) ?? "system";
  } catch {
    return "system";
  }
}

/** Sets the theme now and for later visits. `public/theme.js` does the same before the first paint. */
export function choose(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // It holds for this page then.
  }
  apply(theme);
}

export function apply(theme: Theme): void {
  const dark = theme === "dark" || (theme === "system" && system().matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

/** Paper is white: charts are drawn light while a page prints, and folded parts are opened. */
export function printLight(): () => void {
  let opened: Element[] = [];
  const before = () => {
    document.documentElement.dataset.theme = "light";
    opened = [...document.querySelectorAll("main details:not([open])")];
    for (const part of opened) part.setAttribute("open", "");
  };
  const after = () => {
    apply(readChoice());
    for (const part of opened) part.removeAttribute("open");
  };
  addEventListener("beforeprint", before);
  addEventListener("afterprint", after);
  return () => {
    removeEventListener("beforeprint", before);
    removeEventListener("afterprint", after);
  };
}

/** Calls back when the system changes its mind, or another tab this one's. */
export function onChange(callback: () => void): () => void {
  const query = system();
  query.addEventListener("change", callback);
  addEventListener("storage", callback);
  return () => {
    query.removeEventListener("change", callback);
    removeEventListener("storage", callback);
  };
}
