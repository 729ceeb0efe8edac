import type { Words } from "@rigmark/messages";
import type { PlanBlocks, PlanEntry, RunSpec } from "@rigmark/protocol";
import type { TrialView } from "@rigmark/results";
import { blockRange } from "@rigmark/results/blocks";
import { trialRateBound } from "@rigmark/results/ranking";
import { blockName, trialReason } from "@/lib/results/shape";
import { type SeriesStyle, styleAt } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { ScrollBox } from "../ui/scroll-box";
import { Text } from "../ui/text";

interface PlanGridProps {
  spec: RunSpec;
  entries: readonly PlanEntry[];
  /** As the agent planned them; null until it has. */
  planned: PlanBlocks | null;
  trials: readonly TrialView[];
  styles: Map<string, SeriesStyle>;
  name?: string;
  /** Of a run that is over: the place beside how the trial ended. */
  places?: boolean;
}

const MARKS: Record<TrialView["state"], string> = {
  planned: "",
  running: "",
  valid: "✓",
  invalid: "!",
  failed: "×",
  cancelled: "–",
};

/**
 * Trials of one scenario, block by entry. Its small figure is the place in the block's random order, which the host
 * draws; until then the cells are empty. With a precision, blocks beyond the fewest are dashed: they may not be needed.
 */
export function PlanGrid({ spec, entries, planned, trials, styles, name, places = false }: PlanGridProps) {
  const w = useWords();
  const known = trials.length > 0;
  const { least, most } = blockRange(spec, planned);
  const blocks = known
    ? [...new Set(trials.map((t) => t.block))].sort((a, b) => a - b)
    : Array.from({ length: most }, (_, block) => block);
  const rows = entries.length > 0 ? entries : spec.entries.map((e) => ({ key: e.label, label: e.label }));
  const at = new Map(trials.map((t) => [`${t.entry_key}:${t.block}`, t]));
  return (
    <ScrollBox label={name ?? w.t("report.method.planName")} className="panel">
      <table className="border-separate border-spacing-1 p-2 text-[0.857rem]">
        <caption className="sr-only">{w.t("report.method.planCaption")}</caption>
        <thead>
          <tr>
            <td />
            {blocks.map((block) => (
              <th key={block} scope="col" className="min-w-9 font-normal text-ink-3">
                <span className="sr-only">{blockName(w, block)}</span>
                <span aria-hidden="true">{block + 1}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((entry, place) => {
            const style = styles.get(entry.key) ?? styleAt(place);
            return (
              <tr key={entry.key}>
                <th
                  scope="row"
                  className="sticky left-0 max-w-[38vw] truncate bg-panel pr-3 text-left font-medium sm:max-w-60"
                  title={plainLine(entry.label)}
                >
                  <SeriesGlyph style={style} /> <bdi>{plainLine(entry.label)}</bdi>
                </th>
                {blocks.map((block) => (
                  <TrialCell
                    key={block}
                    trial={at.get(`${entry.key}:${block}`)}
                    maybe={block >= least}
                    places={places}
                    label={plainLine(entry.label)}
                  />
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
      {least < most && !places && (
        <p className="px-3 pb-2 text-[0.857rem] text-ink-2">
          <span aria-hidden="true" className="mr-1 inline-block h-3 w-5 rounded-sm border border-dashed" />
          {w.t("report.method.dashed", { from: least + 1, to: most })}
        </p>
      )}
    </ScrollBox>
  );
}

function TrialCell({
  trial,
  label,
  maybe,
  places,
}: {
  trial: TrialView | undefined;
  label: string;
  /** Measured only while it is needed. */
  maybe: boolean;
  places: boolean;
}) {
  const w = useWords();
  if (!trial)
    return <td className={`h-8 min-w-9 rounded-sm border border-line ${maybe ? "border-dashed" : ""}`} />;
  const { state } = trial;
  const filled = state === "running" ? trial.progress * 100 : 0;
  return (
    <td
      data-state={state}
      title={trialInWords(w, trial, label)}
      className={`relative h-8 min-w-9 overflow-hidden rounded-sm border text-center align-middle ${
        state === "invalid" || state === "failed"
          ? "border-bad bg-bad-wash text-bad"
          : state === "valid"
            ? "border-line-strong bg-sunk"
            : state === "running"
              ? "border-accent"
              : `border-line text-ink-3 ${maybe ? "border-dashed" : ""}`
      }`}
    >
      {state === "running" && (
        <span
          aria-hidden="true"
          className="absolute inset-y-0 left-0 bg-accent-wash"
          style={{ width: `${filled}%` }}
        />
      )}
      <span aria-hidden="true" className="relative">
        {state === "running"
          ? `${Math.round(filled)}%`
          : state === "planned"
            ? trial.position + 1
            : `${places ? `${trial.position + 1} ` : ""}${MARKS[state]}`}
      </span>
      <span className="sr-only">
        <Text text={trialInWords(w, trial, label)} />
        {maybe && state === "planned" ? w.t("report.method.ifNeeded") : ""}
      </span>
    </td>
  );
}

function trialInWords(w: Words, trial: TrialView, label: string): string {
  const where = w.t("report.method.place", {
    entry: label,
    block: blockName(w, trial.block),
    n: trial.position + 1,
  });
  const state = w.t(`report.trials.states.${trial.state}`);
  const why =
    trial.state === "valid"
      ? w.bound(trial.result?.requests_per_s, "per_s", trialRateBound(trial))
      : trial.state === "running"
        ? `${Math.round(trial.progress * 100)} %`
        : trial.reasons.length > 0 && trialReason(w, trial);
  return why
    ? w.t("report.method.cellWhy", { where, state, why })
    : w.t("report.method.cellState", { where, state });
}
