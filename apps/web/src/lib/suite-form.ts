import type { CatalogueServer, Suite } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { addEntry, type RunForm } from "./new-run";

/** A part of a suite that the host cannot do. */
export interface LeftOut {
  what: string;
  reason: string;
  fix: string | null;
}

/** What of a suite has to be left out on this host, and why. */
export function leftOut(suite: Suite, options: RunOptions): LeftOut[] {
  const entries = suite.entries.flatMap((entry): LeftOut[] => {
    const server = options.servers.find((s) => s.name === entry.server);
    if (server?.supported) return [];
    const reason = server ? (server.reason ?? "It does not work here.") : "This host does not have it.";
    return [{ what: entry.label, reason, fix: server?.fix ?? null }];
  });
  const scenarios = suite.scenarios.flatMap((id): LeftOut[] => {
    const found = options.scenarios.find((s) => s.scenario.id === id);
    if (found?.supported) return [];
    const reason = found ? (found.reason ?? "It does not work here.") : "This host does not have it.";
    return [{ what: found?.scenario.title ?? id, reason, fix: found?.fix ?? null }];
  });
  return [...entries, ...scenarios];
}

/** The form with a suite's servers, scenarios, baseline and numbers, as far as the host can do them. */
export function chooseSuite(form: RunForm, suite: Suite, options: RunOptions): RunForm {
  let next: RunForm = { ...form, suite: suite.id, entries: [], baseline: null };
  for (const wanted of suite.entries) {
    const server = options.servers.find((s) => s.name === wanted.server);
    if (!server?.supported) continue;
    next = addEntry(next, server);
    const last = next.entries.at(-1);
    if (!last) continue;
    const given = Object.fromEntries(Object.entries(wanted.options).map(([k, v]) => [k, String(v)]));
    const entry = { ...last, label: wanted.label, options: { ...last.options, ...given } };
    next = { ...next, entries: [...next.entries.slice(0, -1), entry] };
  }
  return {
    ...next,
    title: suite.title,
    scenarios: suite.scenarios.filter((id) =>
      options.scenarios.some((s) => s.supported && s.scenario.id === id),
    ),
    numbers: {},
    repeats: String(suite.repeats),
    precision: "",
    most: "",
    duration: suite.duration_s === null ? "" : String(suite.duration_s),
    warmup: "",
    baseline: next.entries.find((e) => e.label === suite.baseline)?.id ?? null,
  };
}

/** Five short blocks: seconds instead of minutes, and a verdict where the difference is large. As `--quick` of `rigmark run`. */
export function makeQuick(form: RunForm, options: RunOptions): RunForm {
  const jit = options.servers.some((s) => compiles(s) && form.entries.some((e) => e.server === s.name));
  return { ...form, repeats: "5", precision: "", most: "", duration: "0.8", warmup: jit ? "2" : "0.2" };
}

/** Cold, it would be measured at its compiling. An older agent tells its language alone. */
const compiles = (server: CatalogueServer): boolean => server.jit ?? server.language === "Java";
