import { HIDDEN, type RunView } from "@rigmark/results";

/** Shorter names would be found inside ordinary words. */
const NAME_CHARS = 4;
/** Characters that fit into any text that is searched; a run's title has the least room. */
const LEAST_ROOM = 120;

const fields = (names: string): string[] => names.trim().split(/\s+/);
/**
 * Fields without free text, wherever they stand: every other one is searched. A host may be called `linux`, `debian` or
 * `static`; with another word in such a place the report would be wrong, or could not be read.
 */
const KEPT = new Set([
  // Of a vocabulary or a form to which the schemas hold them.
  ...fields(`arch bound bytes_scope code end finished_at id judged_by kind latency_bound latency_until limit method metric
    no_cpu_code no_winner_code note_code os phase ratio_bound scenario scenarios started_at state status stream suite tool
    unit unranked_code verdict when workload`),
  // What the machine and its programs are, in the words of their makers.
  ...fields(`agent_target agent_version board compiler core_split cpu_model governor kernel machine os_name source
    thp tool_version virtualization`),
  // What checks, loads, servers and entries are called: the command that repeats the run has to call them the same.
  ...fields("baseline entry label path repeat_command server thresholds title"),
  // Which commit was measured: a host that is called as a part of it is no secret.
  ...fields("base_commit branch commit repository"),
]);
/** Kept with everything in them: settings of the kernel and names of tools. */
const KEPT_WHOLE = new Set(fields("mitigations tools tuned"));

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Every string in a value, whatever its place, but for those of fields that are kept. */
function mapStrings<T>(value: T, change: (text: string) => string, field = ""): T {
  if (typeof value === "string") return KEPT.has(field) ? value : (change(value) as T);
  if (Array.isArray(value)) return value.map((v) => mapStrings(v, change, field)) as T;
  if (typeof value !== "object" || value === null || KEPT_WHOLE.has(field)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, v]) => [key, mapStrings(v, change, key)])) as T;
}

/**
 * Takes the home folder's owner out of everything that strangers read, and the hosts' names too unless the host's owner
 * wants them shown: out of the fields that hold them, and out of each title, message and sentence that quotes them. The
 * hosts are those of all runs of the report: a run may speak of the machine beside it. A name that an entry has is none.
 */
export function redactRun(
  run: RunView,
  showHostName: boolean,
  beside: readonly Pick<RunView, "host" | "environment">[] = [],
): RunView {
  const words = new Set(run.spec.entries.flatMap((e) => [e.label, e.server]).map((w) => w.toLowerCase()));
  const names = [run, ...beside]
    .flatMap(({ host, environment }) => [host.hostname, host.name, environment?.facts.hostname])
    .filter((n): n is string => typeof n === "string" && n.length >= NAME_CHARS)
    .filter((n) => !words.has(n.toLowerCase()))
    // The longest first: of `attic.example` nothing is left over where a host beside it is called `attic`.
    .sort((a, b) => b.length - a.length)
    .map(escaped);
  const found =
    names.length > 0 && !showHostName
      ? new RegExp(`(?<![a-z0-9-])(${names.join("|")})(?![a-z0-9-])`, "gi")
      : null;
  const hide = (text: string): string =>
    (found ? text.replace(found, HIDDEN) : text)
      .replace(/\/(home|Users)\/[^/\s"']+/g, "/$1/…")
      .slice(0, Math.max(text.length, LEAST_ROOM));
  const hidden = mapStrings(run, hide);
  return {
    ...hidden,
    // Titles of checks, loads and suites are kept; these were written about the host's run.
    title: hide(run.title),
    spec: { ...hidden.spec, title: hide(run.spec.title) },
    environment: hidden.environment && {
      ...hidden.environment,
      facts: showHostName ? hidden.environment.facts : { ...hidden.environment.facts, hostname: HIDDEN },
    },
  };
}
