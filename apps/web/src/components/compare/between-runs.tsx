import type { Words } from "@rigmark/messages";
import type { BetweenTwoRuns, ComparisonView } from "@rigmark/results";
import { columnsOf } from "@/lib/columns";
import type { CompareState } from "@/lib/compare-path";
import { countPairs, pairsOf } from "@/lib/results/different-rows";
import { changesInWords } from "@/lib/results/entry-changes";
import { styleAt } from "@/lib/series-style";
import { plainLine, plural } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { HeatNote } from "../result/heat-note";
import { Text } from "../ui/text";
import { BetweenTable, type PairInTable } from "./between-table";
import { HistoryOf } from "./history-of";

/** More than so many are a table, and no sentence each. */
const MOST_SENTENCES = 8;

const inTable = ({ ratio, ratio_of_medians, ...pair }: BetweenTwoRuns): PairInTable => ({
  ...{ series: pair.series, label: pair.label, a: pair.a, b: pair.b, verdict: pair.verdict },
  changed: pair.changed.length > 0 ? pair.changed : null,
  estimate: ratio?.estimate ?? ratio_of_medians,
  low: ratio?.low ?? null,
  high: ratio?.high ?? null,
});

const byRun = (pairs: readonly BetweenTwoRuns[]): BetweenTwoRuns[] =>
  [...pairs].sort((x, y) => x.b - y.b || x.a - y.a);

const ratioInWords = (w: Words, ratio: number | null): string =>
  ratio === null ? "no figure to compare" : `${w.bound(ratio, "factor", null)}, no verdict`;

/** Which runs are not compared with others of their host, and why there may be nothing to see. */
function notCompared({ runs }: ComparisonView, nothing: boolean): string[] {
  const own = runs.filter((run) => run.host.host_id !== null);
  const queued = own.filter((run) => run.published_by === null);
  const whole = queued.filter((run) => run.state === "succeeded");
  const twice = new Set(whole.map((run) => run.host.host_id)).size < whole.length;
  const lines: string[] = [];
  if (queued.length < own.length)
    lines.push(
      "Runs published from a file are not compared run by run: a file does not prove which machine it is of.",
    );
  if (whole.length < queued.length) lines.push("Only runs that succeeded are compared run by run.");
  if (nothing && twice)
    lines.push(
      `${whole.length < own.length ? "In the other runs, no" : "No"} entry was measured twice under the same load on one host.`,
    );
  return lines;
}

/** Which pairs are left out, by the choice of rows. */
const WITHOUT = {
  different: "without a difference shown",
  faster: "not shown to be better",
  slower: "not shown to be worse",
} as const;

interface BetweenRunsProps extends Pick<CompareState, "only" | "order"> {
  workspace: string;
  comparison: ComparisonView;
}

/** The same entry in two runs on one host: what changed since, and how sure that is. */
export function BetweenRuns({ workspace, comparison, only, order }: BetweenRunsProps) {
  const w = useWords();
  const { runs, series, scenarios } = comparison;
  const shown = pairsOf(scenarios, { only, order });
  const leftOut = countPairs(scenarios) - countPairs(shown);
  const historyOf = ({ b, label }: BetweenTwoRuns, scenario: string) => {
    const hostId = runs[b]?.host.host_id ?? null;
    if (hostId === null) return null;
    return (
      <>
        {" · "}
        <HistoryOf {...{ workspace, hostId, scenario, label }} />
      </>
    );
  };
  return (
    <section className="space-y-3">
      <h2>Between runs on one host</h2>
      {shown.length > 0 && (
        <p className="max-w-[80ch] text-ink-2">
          Each entry is compared with the oldest of these runs that has it. The confidence interval includes
          how much an unchanged build varies from run to run on that host, as measured in other runs.
        </p>
      )}
      {notCompared(comparison, countPairs(scenarios) === 0).map((line) => (
        <p key={line} className="note">
          {line}
        </p>
      ))}
      {only !== undefined && leftOut > 0 && (
        <p className="note">
          {`${plural(leftOut, "comparison")} ${WITHOUT[only]} ${leftOut === 1 ? "is" : "are"} left out.`}
        </p>
      )}
      {shown.map((scenario, place) => (
        // Two loads of one name are two.
        <div key={`${scenario.scenario} ${scenario.metric} ${place}`}>
          <h3 className="mb-1">
            <Text text={w.title(plainLine(scenario.title))} />
          </h3>
          {scenario.between.length > MOST_SENTENCES ? (
            <BetweenTable
              workspace={workspace}
              scenario={scenario.scenario}
              hostIds={runs.map(({ host }) => host.host_id)}
              names={series.map(({ name }) => plainLine(name))}
              pairs={columnsOf((order ? scenario.between : byRun(scenario.between)).map(inTable))}
              metric={scenario.metric}
              label={`${plainLine(scenario.title)}: ratios between runs`}
            />
          ) : (
            <ul className="panel divide-y divide-line">
              {scenario.between.map((pair) => (
                <li
                  key={`${pair.series} ${pair.b}`}
                  className="grid gap-x-4 gap-y-0.5 px-4 py-2 sm:grid-cols-[minmax(0,14rem)_9rem_minmax(0,1fr)]"
                >
                  <span className="min-w-0 [overflow-wrap:anywhere]">
                    <SeriesGlyph style={styleAt(pair.series)} />{" "}
                    <bdi className="font-medium">{plainLine(series[pair.series]?.name ?? "")}</bdi>
                  </span>
                  <span className="text-ink-2">
                    run {pair.b + 1} against {pair.a + 1}
                  </span>
                  <span className="min-w-0">
                    {pair.reason === null ? plainLine(pair.sentence) : ratioInWords(w, pair.ratio_of_medians)}
                    {pair.changed.length > 0 && (
                      <span className="text-ink-2"> · {changesInWords(w, pair.changed)}</span>
                    )}
                    {historyOf(pair, scenario.scenario)}
                  </span>
                </li>
              ))}
            </ul>
          )}
          {/* The same for most of them: said once. */}
          {[...new Set(scenario.between.flatMap(({ reason }) => (reason === null ? [] : [reason])))].map(
            (reason) => (
              <p key={reason} className="note mt-2">
                {plainLine(reason)}
              </p>
            ),
          )}
        </div>
      ))}
      {shown.some(({ between }) => between.length > MOST_SENTENCES) && <HeatNote />}
    </section>
  );
}
