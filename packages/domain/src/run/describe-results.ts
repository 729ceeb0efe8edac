import type { EntrySummary, RunView, ScenarioSummary } from "@rigmark/results";
import { publicVerdict, type RunResults } from "@rigmark/results/public";
import { entriesOf } from "@rigmark/results/rank";
import { winnerKeyOf } from "@rigmark/results/winner";
import type { Call } from "../context";
import { reachRun } from "../internal/reach";
import { readRun } from "../internal/run/read-run";

/** What the run's page shows of each scenario, for the public API. Packages/stats decided all of it. */
export async function describeResults({ ctx, input }: Call<{ runId: string }>): Promise<RunResults> {
  const { workspaceId } = await reachRun(ctx, input.runId, "read");
  const { view } = await readRun(ctx, workspaceId, input.runId);
  const labelOf = (key: string | null) => view.entries.find((e) => e.key === key)?.label ?? null;
  return {
    run: view.run_id,
    state: view.state,
    sentence: view.summary?.sentence ?? null,
    scenarios: (view.summary?.scenarios ?? []).map((scenario) => scenarioOf(view, scenario)),
    labels: view.labels.map(({ code, message, entry_key }) => ({ code, message, label: labelOf(entry_key) })),
    repeat_command: view.repeat_command,
  };
}

function scenarioOf(view: RunView, found: ScenarioSummary): RunResults["scenarios"][number] {
  const { title = found.scenario, tool = "" } = view.scenarios.find((s) => s.id === found.scenario) ?? {};
  const winner = winnerKeyOf(found);
  const { blocks, no_verdict } = found;
  return {
    scenario: found.scenario,
    title,
    tool,
    metric: found.metric,
    sentence: found.sentence,
    winner: view.entries.find((e) => e.key === winner)?.label ?? null,
    no_verdict: no_verdict && { code: no_verdict.code, sentence: no_verdict.sentence },
    blocks: blocks && {
      needed: blocks.needed,
      asked: blocks.asked,
      measured: blocks.measured,
      counted: blocks.counted,
      disturbed: blocks.disturbed,
    },
    entries: entriesOf(found, view.entries).map((entry) => entryOf(view, entry)),
  };
}

function entryOf(view: RunView, entry: EntrySummary): RunResults["scenarios"][number]["entries"][number] {
  const planned = view.entries.find((e) => e.key === entry.entry_key);
  const late = entry.not_sustained;
  return {
    label: planned?.label ?? "",
    server: planned?.server ?? "",
    baseline: planned?.baseline ?? false,
    rank: entry.rank,
    rank_to: entry.rank_to ?? null,
    verdict: publicVerdict(entry.verdict),
    ratio: entry.ratio?.estimate ?? null,
    low: entry.ratio?.low ?? null,
    high: entry.ratio?.high ?? null,
    ratio_bound: entry.ratio_bound,
    lower_bound: entry.lower_bound,
    latency_bound: entry.latency_bound ?? null,
    not_sustained: late && { trials: late.trials, of: late.of, reason: late.words },
    unranked:
      entry.unranked_reason === null ? null : { code: entry.unranked_code, reason: entry.unranked_reason },
    trials_valid: entry.trials_valid,
    trials_invalid: entry.trials_invalid,
    requests_per_s: entry.requests_per_s,
    cpu_us_per_request: entry.cpu_us_per_request,
    rss_peak_bytes: entry.rss_peak_bytes,
    percentiles: entry.percentiles.map(({ p, us, rankable, note, note_code }) => ({
      p,
      us,
      rankable,
      note: note === null ? null : { code: note_code, reason: note },
    })),
    sentence: entry.sentence,
  };
}
