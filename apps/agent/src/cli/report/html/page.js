// Values under the pointer, arrow keys that walk from point to point, a theme, and a button that copies.
const tip = document.getElementById("tip");
let active = null;

function show(point) {
  active?.classList.remove("active");
  active = point;
  if (!point) return tip.classList.remove("shown");
  point.classList.add("active");
  tip.textContent = point.dataset.tip;
  const at = point.getBoundingClientRect();
  const own = tip.getBoundingClientRect();
  const left = Math.min(Math.max(6, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 6);
  const above = at.top - own.height - 8;
  tip.style.transform = `translate(${left}px, ${above > 4 ? above : at.bottom + 8}px)`;
  tip.classList.add("shown");
}

for (const chart of document.querySelectorAll(".chart")) {
  const points = [...chart.querySelectorAll("[data-tip]")].filter((p) => p.classList.contains("point"));
  const nearest = (event) => {
    let best = null;
    let least = 40 * 40;
    for (const point of points) {
      const { left, top, width, height } = point.getBoundingClientRect();
      const distance = (left + width / 2 - event.clientX) ** 2 + (top + height / 2 - event.clientY) ** 2;
      if (distance < least) [best, least] = [point, distance];
    }
    return best;
  };
  chart.addEventListener("pointermove", (event) => show(nearest(event)));
  chart.addEventListener("pointerdown", (event) => show(nearest(event)));
  chart.addEventListener("pointerleave", () => show(null));
  chart.addEventListener("blur", () => show(null));
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") show(null);
    if (!step || points.length === 0) return;
    event.preventDefault();
    const at = points.indexOf(active);
    show(points[at < 0 ? (step > 0 ? 0 : points.length - 1) : (at + step + points.length) % points.length]);
  });
}
addEventListener("scroll", () => show(null), { passive: true });

const root = document.documentElement;
const theme = document.getElementById("theme");
const isDark = () =>
  (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const name = () => {
  theme.textContent = isDark() ? "Light" : "Dark";
};
theme.hidden = false;
name();
theme.addEventListener("click", () => {
  root.dataset.theme = isDark() ? "light" : "dark";
  name();
});

const copy = document.getElementById("copy");
copy.hidden = !navigator.clipboard;
copy.addEventListener("click", async () => {
  await navigator.clipboard.writeText(document.getElementById("command").textContent);
  copy.textContent = "Copied";
});
