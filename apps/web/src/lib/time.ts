const DATE = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const CLOCK = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });

/** `20 Nov 2026, 22:31 UTC`: the same for every reader, on server and in browser. */
export function formatMoment(iso: string | null | undefined): string {
  if (!iso) return "–";
  const at = new Date(iso);
  return Number.isNaN(at.getTime()) ? "–" : `${DATE.format(at)}, ${CLOCK.format(at)} UTC`;
}

/** `4 min ago`; in days up to thirty, then the date. */
export function formatAgo(iso: string | null | undefined, now: number): string {
  if (!iso) return "never";
  const s = Math.max(0, Math.round((now - new Date(iso).getTime()) / 1000));
  if (s < 10) return "just now";
  if (s < 60) return `${s} s ago`;
  if (s < 3600) return `${Math.floor(s / 60)} min ago`;
  if (s < 86_400) return `${Math.floor(s / 3600)} h ago`;
  if (s < 30 * 86_400) return `${Math.floor(s / 86_400)} d ago`;
  return DATE.format(new Date(iso));
}

/** `42 s`, `7 min`, `1 h 5 min`: how long something takes, for who waits. */
export function formatSpan(seconds: number): string {
  const s = Math.max(0, Math.round(seconds));
  if (s < 60) return `${s} s`;
  const minutes = Math.floor(s / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `4:09`, or `0:00` when it is over. */
export function formatCountdown(untilIso: string, now: number): string {
  const s = Math.max(0, Math.round((new Date(untilIso).getTime() - now) / 1000));
  return `${Math.floor(s / 60)}:${String(s % 60).padStart(2, "0")}`;
}
