import type { Words } from "@rigmark/messages";
import type { BetweenTwoRuns, ComparisonView } from "@rigmark/results";
import Link from "next/link";
import { columnsOf } from "@/lib/columns";
import { historyPath } from "@/lib/history-path";
import { changesInWords } from "@/lib/results/entry-changes";
import { styleAt } from "@/lib/series-style";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { Text } from "../ui/text";
import { BetweenTable, type PairInTable } from "./between-table";

/** More than so many are a table, and no sentence each. */
const MOST_SENTENCES = 8;

const inTable = ({ ratio, ratio_of_medians, ...pair }: BetweenTwoRuns): PairInTable => ({
  ...{ series: pair.series, a: pair.a, b: pair.b, verdict: pair.verdict },
  changed: pair.changed.length > 0 ? pair.changed : null,
  estimate: ratio?.estimate ?? ratio_of_medians,
  low: ratio?.low ?? null,
  high: ratio?.high ?? null,
});

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

/** The same entry in two runs on one host: what changed since, and how sure that is. */
export function BetweenRuns({ workspace, comparison }: { workspace: string; comparison: ComparisonView }) {
  const w = useWords();
  const { runs, series, scenarios } = comparison;
  const shown = scenarios.filter((s) => s.between.length > 0);
  return (
    <section className="space-y-3">
      <h2>Between runs on one host</h2>
      {shown.length > 0 && (
        <p className="max-w-[80ch] text-ink-2">
          Each entry is compared with the oldest of these runs that has it. The confidence interval includes
          how much an unchanged build varies from run to run on that host, as measured in other runs.
        </p>
      )}
      {notCompared(comparison, shown.length === 0).map((line) => (
        <p key={line} className="note">
          {line}
        </p>
      ))}
      {shown.map((scenario, place) => (
        // Two loads of one name are two.
        <div key={`${scenario.scenario} ${scenario.metric} ${place}`}>
          <h3 className="mb-1">
            <Text text={w.title(plainLine(scenario.title))} />
          </h3>
          {scenario.between.length > MOST_SENTENCES ? (
            <BetweenTable
              names={series.map(({ name }) => plainLine(name))}
              pairs={columnsOf(scenario.between.map(inTable))}
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
                    <HistoryOf
                      workspace={workspace}
                      hostId={runs[pair.b]?.host.host_id ?? null}
                      scenario={scenario.scenario}
                      label={pair.label}
                    />
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
    </section>
  );
}

interface HistoryOfProps {
  workspace: string;
  /** Null where no host is known. */
  hostId: string | null;
  scenario: string;
  label: string;
}

/** To all runs of the entry on that host, of which two are compared here. */
function HistoryOf({ workspace, hostId, scenario, label }: HistoryOfProps) {
  if (hostId === null) return null;
  return (
    <>
      {" · "}
      <Link
        className="link"
        prefetch={false}
        href={historyPath(workspace, { hostId, scenario, label })}
        aria-label={`History of ${plainLine(label)}`}
      >
        History
      </Link>
    </>
  );
}
