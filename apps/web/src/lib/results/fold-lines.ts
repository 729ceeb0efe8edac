import { blocksOf, calibrationOf, type Words } from "@rigmark/messages";
import type { Environment, PlanBlocks, RunSpec, Scenario } from "@rigmark/protocol";
import type { EntrySummary, TrialView, VerifyView } from "@rigmark/results";
import { blockRange } from "@rigmark/results/blocks";
import { percent } from "@rigmark/results/noise-words";
import { plainLine } from "../text";

/** What a part of a page has in it, in one line, for who leaves it folded. */
export const trialsLine = (w: Words, trials: readonly Pick<TrialView, "state">[]): string =>
  w.t("report.brief.valid", {
    valid: trials.filter(({ state }) => state === "valid").length,
    all: trials.length,
  });

export const hasFailed = (verify: readonly Pick<VerifyView, "status">[]): boolean =>
  verify.some(({ status }) => status === "failed");

export function verifyLine(w: Words, verify: readonly Pick<VerifyView, "status" | "checks">[]): string {
  if (verify.length === 0) return w.t("report.verify.none");
  const checks = verify.flatMap((of) => of.checks);
  // A verification may fail before its first check.
  const failed = checks.filter(({ status }) => status === "failed").length || (hasFailed(verify) ? 1 : 0);
  return failed > 0
    ? w.t("report.fold.checksFailed", { failed, n: Math.max(checks.length, failed) })
    : w.t("report.fold.checksPassed", { n: checks.filter(({ status }) => status === "passed").length });
}

interface Planned {
  spec: RunSpec;
  blocks: PlanBlocks | null;
  scenarios: readonly Scenario[];
}
export const methodLine = (w: Words, { spec, blocks, scenarios }: Planned): string =>
  w.join([blocksOf(w, blockRange(spec, blocks)), ...new Set(scenarios.map(({ tool }) => tool))]);

export function environmentLine(w: Words, environment: Environment | null): string {
  if (!environment) return w.t("report.notReported");
  const { facts } = environment;
  return w.join(
    [facts.board ?? facts.cpu_model, facts.os_name ?? facts.os, facts.kernel].map(
      (part) => part && w.name(plainLine(part)),
    ),
  );
}

type Compared = Pick<EntrySummary, "ratio" | "blocks_in_common">;
interface Measured {
  summary: { scenarios: readonly { entries: readonly Compared[] }[] } | null;
  environment: Environment | null;
}
/** How sure the figures are: from how many blocks the intervals are, if there are any, and what this host can show at all. */
export function sureLine(w: Words, { summary, environment }: Measured): string | null {
  const entries = (summary?.scenarios ?? []).flatMap((scenario) => scenario.entries);
  const blocks = entries.flatMap(({ ratio, blocks_in_common: n }) => (ratio && n !== null ? [n] : []));
  const range = { least: Math.min(...blocks), most: Math.max(...blocks) };
  const calibration = environment?.facts.calibration ?? null;
  return (
    w.sentences([
      blocks.length > 0 && w.t("report.sure", { blocks: blocksOf(w, range) }),
      calibration && calibrationOf(w, calibration, percent),
    ]) || null
  );
}
