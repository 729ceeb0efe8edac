// Runs before the first paint, so that no page flashes in the other theme. Kept in step with src/lib/theme.ts.
(() => {
  let wanted = null;
  try {
    wanted = localStorage.getItem("theme");
  } catch {
    // Storage may be closed to pages; the system's theme it is.
  }
  const dark =
    wanted === "dark" || (wanted !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
