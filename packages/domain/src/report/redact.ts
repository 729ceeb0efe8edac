import type { RunView } from "../run/view";

const HIDDEN = "[host]";
/** Shorter names would be found inside ordinary words. */
const NAME_CHARS = 4;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/**
 * Takes the host's names out of everything that strangers read, unless its owner wants them shown: the fields that
 * hold them, and messages that quote them.
 */
export function redactRun(run: RunView, showHostName: boolean): RunView {
  if (showHostName) return run;
  const names = [run.host.hostname, run.host.name, run.environment?.facts.hostname]
    .filter((n): n is string => typeof n === "string" && n.length >= NAME_CHARS)
    .map(escaped);
  const found = names.length > 0 ? new RegExp(`(?<![\\w-])(${names.join("|")})(?![\\w-])`, "gi") : null;
  const home = /\/(home|Users)\/[^/\s"']+/g;
  const hide = (text: string): string => (found ? text.replace(found, HIDDEN) : text).replace(home, "/$1/…");
  const messages = <T extends { message: string | null }>(list: T[]): T[] =>
    list.map((m) => (m.message === null ? m : { ...m, message: hide(m.message) }));
  const environment = run.environment && {
    ...run.environment,
    facts: {
      ...run.environment.facts,
      hostname: HIDDEN,
      boot_id: HIDDEN,
      checks: run.environment.facts.checks.map((c) => ({ ...c, found: hide(c.found) })),
    },
  };
  return {
    ...run,
    environment,
    error: run.error && { ...run.error, message: hide(run.error.message) },
    labels: messages(run.labels),
    trials: run.trials.map((t) => ({ ...t, reasons: messages(t.reasons), labels: messages(t.labels) })),
    verify: run.verify.map((v) => ({ ...v, checks: messages(v.checks) })),
  };
}
