import { createHash } from "node:crypto";
import type { PlanEntry, Scenario } from "@rigmark/protocol";

/** What of a plan makes two of them do the same to the same. */
export interface Planned {
  entries: readonly Pick<PlanEntry, "label" | "server" | "options" | "baseline">[];
  scenarios: readonly Scenario[];
}

/** JSON with keys in the order of their bytes (all are ASCII, and some look like numbers) and no white space. */
function text(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(text).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).filter(([, v]) => v !== undefined);
  fields.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, v]) => `${JSON.stringify(key)}:${text(v)}`).join(",")}}`;
}

/** As `apps/agent/src/runner/plan/parameters.rs` writes it, which says what is left out and why. */
export const canonical = ({ entries, scenarios }: Planned): string =>
  text({
    schema: 1,
    entries: entries.map(({ baseline, label, options, server }) => ({ baseline, label, options, server })),
    scenarios,
  });

export const planHash = (planned: Planned): string =>
  createHash("sha256").update(canonical(planned)).digest("hex");
