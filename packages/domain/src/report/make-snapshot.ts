import type { Ctx } from "../context";
import { DomainError } from "../error";
import { iso } from "../moment";
import { tryReadCurves } from "../run/read-curves";
import { readSeries } from "../run/read-series";
import { readRun } from "../run/run-view";
import type { RunView } from "../run/view";
import { redactRun } from "./redact";
import { type ReportHost, ReportSnapshot } from "./snapshot";

/** Points a trial in a report: enough to draw, few enough to send, also when there are many trials. */
const pointsOf = (trials: number): number => Math.max(4, Math.min(120, Math.floor(POINTS / trials)));
const POINTS = 12_000;

/** Ways in which the run is not whole, as sentences. */
function gapsOf(run: RunView): string[] {
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

function hostOf(run: RunView, showName: boolean): ReportHost {
  const facts = run.environment?.facts ?? run.host;
  const what = facts.board ?? facts.cpu_model ?? facts.arch ?? "a host";
  return {
    name: showName ? run.host.name : what,
    redacted: !showName,
    os_name: facts.os_name,
    kernel: facts.kernel,
    arch: facts.arch,
    board: facts.board,
    cpu_model: facts.cpu_model,
    cpus_online: facts.cpus_online,
    memory_bytes: facts.memory_bytes,
  };
}

export interface SnapshotInput {
  workspaceId: string;
  runId: string;
  slug: string;
  title: string | null;
  showHostName: boolean;
}

/** Freezes a run: everything that a reader will ever see of it. */
export async function makeSnapshot(ctx: Ctx, input: SnapshotInput): Promise<ReportSnapshot> {
  const { row, view } = await readRun(ctx, input.workspaceId, input.runId);
  if (!row.attempt_id || !view.summary) {
    throw new DomainError("state", "The run has no results yet; share it once the first trial is over.");
  }
  const key = { workspaceId: input.workspaceId, attemptId: row.attempt_id };
  const run = redactRun(view, input.showHostName);
  return ReportSnapshot.parse({
    report: 1,
    slug: input.slug,
    title: input.title || run.title,
    created_at: iso(ctx.now()),
    rigmark_version: ctx.config.version,
    runs: [
      {
        ...run,
        started_at: run.timings.started_at,
        finished_at: run.timings.finished_at,
        gaps: gapsOf(run),
        host: hostOf(run, input.showHostName),
        series: await readSeries(ctx, key, { maxPoints: pointsOf(view.trials.length) }),
        curves: await tryReadCurves(ctx, key),
      },
    ],
  });
}
