import type { RunView } from "../run/view";

const HIDDEN = "[host]";
/** Shorter names would be found inside ordinary words. */
const NAME_CHARS = 4;
/** What whoever queued the run wrote, and what a server is called: there a host's name is no accident. */
const KEPT = new Set(["spec", "entries", "scenarios", "title", "repeat_command", "label", "server"]);

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Every string in a value, whatever its place, but for what is kept. */
function mapStrings<T>(value: T, change: (text: string) => string): T {
  if (typeof value === "string") return change(value) as T;
  if (Array.isArray(value)) return value.map((v) => mapStrings(v, change)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, v]) => [
      key,
      KEPT.has(key) && !isSummary(v) ? v : mapStrings(v, change),
    ]),
  ) as T;
}
const isSummary = (value: unknown): boolean =>
  Array.isArray(value) && value.some((v) => typeof v === "object" && v !== null && "sentence" in v);

/**
 * Takes the hosts' names and the home folder's owner out of everything that strangers read, unless the host's owner
 * wants them shown: out of the fields that hold them, and out of each message and sentence that quotes them. The hosts
 * are those of all runs of the report: a run may speak of the machine beside it.
 */
export function redactRun(
  run: RunView,
  showHostName: boolean,
  beside: readonly Pick<RunView, "host" | "environment">[] = [],
): RunView {
  if (showHostName) return run;
  const words = new Set(run.spec.entries.flatMap((e) => [e.label, e.server]));
  const names = [run, ...beside]
    .flatMap(({ host, environment }) => [host.hostname, host.name, environment?.facts.hostname])
    .filter((n): n is string => typeof n === "string" && n.length >= NAME_CHARS && !words.has(n))
    .map(escaped);
  const found = names.length > 0 ? new RegExp(`(?<![a-z0-9-])(${names.join("|")})(?![a-z0-9-])`, "gi") : null;
  const hide = (text: string): string =>
    (found ? text.replace(found, HIDDEN) : text).replace(/\/(home|Users)\/[^/\s"']+/g, "/$1/…");
  const environment = run.environment && {
    ...run.environment,
    facts: { ...run.environment.facts, hostname: HIDDEN, boot_id: HIDDEN },
  };
  return mapStrings({ ...run, environment }, hide);
}
