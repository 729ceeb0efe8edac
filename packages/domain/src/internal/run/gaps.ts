import type { RunView } from "@rigmark/results";

/** Ways in which the run is not whole, as sentences. */
export function gapsOf(run: RunView): string[] {
  const gaps: string[] = [];
  if (!run.final) gaps.push("The run was not over when this report was made.");
  else if (run.state !== "succeeded")
    gaps.push(`The run ended as ${run.state.replace("_", " ")}${run.error ? `: ${run.error.message}` : "."}`);
  for (const m of run.missing) {
    const to = m.to_seq === null ? "on" : `to ${m.to_seq - 1}`;
    gaps.push(`The ${m.stream} is missing from chunk ${m.from_seq} ${to}.`);
  }
  if (run.corrupt_records > 0)
    gaps.push(`${run.corrupt_records} records were damaged on the host's disk and are missing.`);
  const planned = run.trials.filter((t) => t.state === "planned" || t.state === "running").length;
  if (planned > 0) gaps.push(`${planned} of ${run.trials.length} planned trials were not measured.`);
  return gaps;
}
