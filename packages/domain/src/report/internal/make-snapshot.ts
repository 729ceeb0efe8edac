import { type ReportHost, type ReportRun, ReportSnapshot, type RunView } from "@rigmark/results";
import { matchSeries } from "@rigmark/results/match-series";
import { reportColumns, reportPoints } from "@rigmark/results/points";
import type { z } from "zod";
import type { Ctx } from "../../context";
import { DomainError } from "../../error";
import { iso } from "../../internal/moment";
import { gapsOf } from "../../internal/run/gaps";
import type { Loaded } from "../../internal/run/load";
import { tryReadCurves } from "../../internal/run/read-curves";
import { readRun } from "../../internal/run/read-run";
import { readSeries } from "../../internal/run/read-series";
import { repeatCommand } from "../../internal/run/repeat-command";
import { trySummarize } from "../../internal/run/summarize";
import { unknownBaseline } from "../../internal/run/unknown-baseline";
import { printable } from "../../internal/text";
import { redactRun } from "./redact";

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
  /** In their order on the page; at least one. */
  runIds: readonly string[];
  slug: string;
  title: string | null;
  showHostName: boolean;
  /** Name of the series that the others of each run are compared with; null: each run's own baseline. */
  baseline: string | null;
}

interface Found {
  view: RunView;
  loaded: Loaded;
  attemptId: string;
}

/** A run of the workspace that has something to show. */
async function readMeasured(ctx: Ctx, input: SnapshotInput, runId: string): Promise<Found> {
  const { row, loaded, view } = await readRun(ctx, input.workspaceId, runId);
  if (!row.attempt_id || !view.summary) {
    const which = input.runIds.length > 1 ? `The run “${view.title}”` : "The run";
    throw new DomainError(
      "state",
      row.finished_at
        ? `${which} ended without a result, so there is nothing to share.`
        : `${which} has no results yet; share it once the first trial is over.`,
    );
  }
  return { view, loaded, attemptId: row.attempt_id };
}

/** With another baseline the same trials are summed up anew, as on the page Compare. A run without that entry keeps its own. */
function withBaseline(ctx: Ctx, found: Found[], name: string): Found[] {
  const series = matchSeries(found.map((run) => run.loaded)).find((each) => each.name === name);
  if (!series) throw unknownBaseline(name);
  return found.map((run, place) => {
    const key = series.keys[place] ?? null;
    if (key === null) return run;
    const entries = run.loaded.entries.map((entry) => ({ ...entry, baseline: entry.key === key }));
    const summary = trySummarize(ctx, run.view.run_id, { ...run.loaded, entries });
    // Who repeats the report's run is to get the report's ratios.
    const spec = { ...run.view.spec, baseline: entries.find((entry) => entry.baseline)?.label ?? null };
    const environment = run.loaded.attempt?.environment ?? null;
    const repeat_command = repeatCommand(spec, { ...run.loaded, entries, environment });
    return { ...run, view: { ...run.view, entries, summary, spec, repeat_command } };
  });
}

/** Freezes runs: everything that a reader will ever see of them. */
export async function makeSnapshot(ctx: Ctx, input: SnapshotInput): Promise<ReportSnapshot> {
  const read: Found[] = [];
  for (const runId of input.runIds) read.push(await readMeasured(ctx, input, runId));
  const found = input.baseline === null ? read : withBaseline(ctx, read, input.baseline);
  const views = found.map(({ view }) => view);
  const maxPoints = reportPoints(views.reduce((n, view) => n + view.trials.length, 0));
  const maps = views.reduce((n, view) => n + view.entries.length * view.scenarios.length, 0);
  const runs: z.input<typeof ReportRun>[] = [];
  for (const { view, attemptId } of found) {
    const key = { workspaceId: input.workspaceId, attemptId };
    const run = redactRun(view, input.showHostName, views);
    runs.push({
      ...run,
      started_at: run.timings.started_at,
      finished_at: run.timings.finished_at,
      gaps: gapsOf(run),
      host: hostOf(run, input.showHostName),
      series: await readSeries(ctx, key, { maxPoints }),
      curves: await tryReadCurves(ctx, key, reportColumns(maps)),
    });
  }
  const others = runs.length - 1;
  const title = `${runs[0]?.title ?? ""}${others > 0 ? `, and ${others} other ${others === 1 ? "run" : "runs"}` : ""}`;
  return ReportSnapshot.parse({
    report: 1,
    slug: input.slug,
    title: printable(input.title ?? "") || title,
    created_at: iso(ctx.now()),
    rigmark_version: ctx.config.version,
    runs,
  });
}
