import type { Words } from "@rigmark/messages";
import { formatDuration } from "@rigmark/metrics";
import type { RunSpec, Scenario, TimeSpent } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";

type Timed = Pick<TrialView, "scenario" | "duration_s" | "warmup_s" | "warmup_us" | "warmup_steady">;

/** `2 s`, or `2 s to 6.1 s`: whole or in tenths, as they are given. */
function spanOf(w: Words, seconds: readonly number[]): string {
  const [least, most] = [Math.min(...seconds), Math.max(...seconds)].map((s) =>
    formatDuration(s).replace(/(\.\d*[1-9])0+(?=\D)/, "$1"),
  );
  return least === most ? `${least}` : w.t("report.method.span", { least: `${least}`, most: `${most}` });
}

/**
 * For how long a scenario's trials were measured and warmed up: as the trials have it, and before there are any as it was
 * asked for. A warm-up lasts longer than planned where the server compiles while it runs.
 */
export function secondsInWords(
  w: Words,
  scenario: Scenario,
  spec: Pick<RunSpec, "duration_s" | "warmup_s">,
  trials: readonly Timed[],
): string {
  const mine = trials.filter((t) => t.scenario === scenario.id);
  const planned = mine.length > 0 ? mine : [scenario];
  const measured = planned.map((t) => (mine.length > 0 ? t.duration_s : (spec.duration_s ?? t.duration_s)));
  const asked = planned.map((t) => (mine.length > 0 ? t.warmup_s : (spec.warmup_s ?? t.warmup_s)));
  const warmed = mine.flatMap((t) => ((t.warmup_us ?? null) === null ? [] : [Number(t.warmup_us) / 1e6]));
  const unsteady = mine.filter((t) => t.warmup_steady === false).length;
  const looked = mine.filter((t) => typeof t.warmup_steady === "boolean").length;
  const warm = spanOf(w, warmed.length > 0 ? warmed.map(tenths) : asked);
  const planned_s = spanOf(w, asked);
  return [
    w.t(scenario.load.kind === "knee" ? "report.method.secondsAtMost" : "report.method.seconds", {
      measured: spanOf(w, measured),
      warmed: warm,
    }),
    warm === planned_s ? "" : w.t("report.method.planned", { asked: planned_s }),
    unsteady > 0 ? w.t("report.method.notSteady", { n: unsteady, all: looked }) : "",
  ].join("");
}

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;

const PARTS = [
  "measuring_us",
  "warm_up_us",
  "verifying_us",
  "building_us",
  "starting_us",
  "waiting_us",
  "other_us",
] as const satisfies readonly (keyof TimeSpent)[];

/** `1 min 25 s, of which 71 % measuring, 12 % warm-up, …`; parts of less than half a percent are not named. */
export function timeInWords(w: Words, time: TimeSpent): string {
  const share = (us: number): number => (us / Math.max(1, time.total_us)) * 100;
  const named = PARTS.filter((part) => share(time[part]) >= 0.5);
  const parts = named.map((part) =>
    w.t("report.method.timePart", {
      share: `${share(time[part]).toFixed(0)}\u00a0%`,
      what: w.t(`report.method.timeParts.${part}`),
    }),
  );
  return w.t("report.method.timeLine", { total: formatDuration(time.total_us / 1e6), parts: w.join(parts) });
}

/** What was measured and does not count because of the host; null where all of it counts. */
export function disturbedInWords(
  w: Words,
  trials: readonly Pick<TrialView, "reasons" | "rounds">[],
): string | null {
  const again = trials.filter((t) => t.reasons[0]?.code === "host-disturbed").length;
  const rounds = trials.flatMap((t) => t.rounds ?? []);
  const sum = (of: (r: (typeof rounds)[number]) => number) => rounds.reduce((all, r) => all + of(r), 0);
  const leftOut = sum((r) => r.left_out);
  const parts = [
    again > 0 ? w.t("report.method.disturbedTrials", { n: again, all: trials.length }) : "",
    leftOut > 0 ? w.t("report.method.disturbedSlices", { n: leftOut, all: sum((r) => r.measured) }) : "",
  ].filter((part) => part !== "");
  return parts.length > 0 ? parts.join(w.t("ui.semicolon")) : null;
}
