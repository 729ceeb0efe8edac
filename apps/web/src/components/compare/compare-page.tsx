import { FINAL_STATES } from "@rigmark/protocol/run-states";
import type { ComparedRun, ComparisonView } from "@rigmark/results";
import { MOST_COMPARED, MOST_IN_REPORT } from "@rigmark/results/comparable";
import Link from "next/link";
import { type CompareState, comparedPath, comparePath, withoutRun } from "@/lib/compare-path";
import { cellFigure } from "@/lib/results/cell-figure";
import { comparedIn } from "@/lib/results/compared";
import { countPairs, countRows, rowsBySize, rowsOnly, scenariosBySize } from "@/lib/results/different-rows";
import { runsPath } from "@/lib/run-filter";
import { styleAt } from "@/lib/series-style";
import { plainLine, plural } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SeriesGlyph } from "../chart/glyph";
import { EnvironmentDifferences } from "../result/environment-differences";
import { HeatNote } from "../result/heat-note";
import { SourceLine } from "../run/source-line";
import { TickingLink } from "../run/ticking-link";
import { PageHead } from "../ui/page-head";
import { TimeAgo } from "../ui/time-ago";
import { BetweenRuns } from "./between-runs";
import { CompareLink } from "./compare-link";
import { ComparedCurves } from "./compared-curves";
import { FigureChoice } from "./figure-choice";
import { RatioFigures } from "./ratio-figures";
import { RatioTable } from "./ratio-table";
import { RowChoice } from "./row-choice";
import { ShareCompared } from "./share-compared";
import { VerdictTable } from "./verdict-table";

interface ComparePageProps {
  workspace: string;
  state: CompareState;
  comparison: ComparisonView;
  mayShare: boolean;
}

/** Runs beside each other: who is faster within each, what changed between them, and what else is not the same. */
export function ComparePage({ workspace, state, comparison, mayShare }: ComparePageProps) {
  const { runs, notes } = comparison;
  const w = useWords();
  const { only, order, figure } = state;
  const compared = comparedIn(comparison, figure && cellFigure(w, figure));
  const chosen = rowsOnly(compared, only);
  const baseline = comparison.baseline === null ? undefined : comparison.series[comparison.baseline]?.name;
  const own = runs.flatMap((run) => run.host.host_id ?? []);
  const hosts = new Set(own).size;
  const withRows = new Set(comparison.scenarios.flatMap(({ rows }) => rows.map(({ run }) => run)));
  const measured = runs.filter((_, place) => withRows.has(place));
  const shared = measured.filter((run) => FINAL_STATES.includes(run.state));
  const [first] = shared;
  return (
    <div className="space-y-8">
      <PageHead
        title={`Compare ${plural(runs.length, "run")}`}
        actions={
          // A report of somebody else's is shared by its own link.
          state.reports || !mayShare || measured.length === 0 ? undefined : first === undefined ? (
            <span className="text-ink-2">A run can be shared once it has ended.</span>
          ) : shared.length <= MOST_IN_REPORT ? (
            <ShareCompared
              workspace={workspace}
              runIds={shared.map((run) => run.run_id)}
              first={{ title: first.title, hardware: hardwareOf(first) }}
              baseline={baseline}
              description={`A report is a frozen copy of these runs, side by side. You choose below who can read it. ${
                baseline === undefined
                  ? "Each run is compared with its own baseline."
                  : `Each run that has “${plainLine(baseline)}” is compared with it.`
              }${shared.length < measured.length ? " Runs that have not ended are left out." : ""}`}
            />
          ) : (
            <span className="text-ink-2">A report holds at most {MOST_IN_REPORT} runs.</span>
          )
        }
      >
        {own.length < runs.length
          ? "A report may not name its host. Compare the ratios within each run; figures from different hosts are not comparable."
          : runs.some((run) => run.published_by !== null)
            ? "A run published from a file names its machine, which may not be the only one of that name. Compare the ratios within each run; figures from different hosts are not comparable."
            : hosts > 1
              ? `Measured on ${hosts} hosts. Compare the ratios within each run; figures from different hosts are not comparable.`
              : "Measured on one host."}
      </PageHead>
      <div className="space-y-3">
        <Runs {...{ workspace, state, comparison }} />
        <AddRuns {...{ workspace, state, runs, measured }} />
      </div>
      {notes.map((line) => (
        <p key={line} className="note" data-tone="warn">
          {plainLine(line)}
        </p>
      ))}
      <section className="space-y-3">
        <h2>Within each run</h2>
        <Baselines {...{ workspace, state, comparison }} />
        <VerdictTable comparison={comparison} />
        <RowChoice {...{ workspace, state }} of={compared} pairs={countPairs(comparison.scenarios)} />
        <FigureChoice {...{ workspace, state }} />
        {(only === undefined || countRows(chosen) > 0) && (
          <>
            <RatioTable
              workspace={workspace}
              of={order === "size" ? rowsBySize(chosen) : chosen}
              runs={runs.map(({ run_id, report }) => ({ run_id, report }))}
            />
            <HeatNote />
          </>
        )}
      </section>
      {hosts < own.length && <BetweenRuns {...{ workspace, comparison, only, order }} />}
      {(only === undefined || countRows(chosen) > 0) && (
        <section className="space-y-4">
          <h2>Ratios with confidence intervals</h2>
          <RatioFigures of={order === "size" ? scenariosBySize(chosen) : chosen} />
        </section>
      )}
      <ComparedCurves {...{ workspace, state }} of={compared} />
      {runs.length > 1 && (
        <section className="space-y-3">
          <h2>Environment</h2>
          <EnvironmentDifferences runs={runs} />
        </section>
      )}
    </div>
  );
}

const hardwareOf = ({ environment }: ComparedRun): string | null =>
  environment?.facts.board ?? environment?.facts.cpu_model ?? null;

/** Which runs they are, by the names that the tables use. */
function Runs({ workspace, state, comparison }: Omit<ComparePageProps, "mayShare">) {
  return (
    <ol className="panel divide-y divide-line">
      {comparison.runs.map((run, place) => (
        <li
          key={run.report ?? run.run_id}
          className="grid gap-x-6 gap-y-0.5 px-4 py-2.5 sm:grid-cols-[4rem_minmax(0,1fr)_minmax(0,23rem)]"
        >
          <span className="text-ink-2">Run {place + 1}</span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <Link className="link font-medium" href={comparedPath(workspace, run)}>
              <bdi>{plainLine(run.title) || run.run_id.slice(0, 8)}</bdi>
            </Link>
            {run.report !== null && <span className="text-ink-2"> · from a report</span>}
            <RemoveRun {...{ workspace, place }} left={withoutRun(state, comparison, place)} />
            {run.source && (
              <span className="block text-ink-2">
                <SourceLine source={run.source} workspace={workspace} />
              </span>
            )}
          </span>
          <span className="min-w-0 text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
            <bdi>{plainLine(run.host.name)}</bdi> · <TimeAgo at={run.created_at} />
          </span>
        </li>
      ))}
    </ol>
  );
}

interface RemoveRunProps {
  workspace: string;
  place: number;
  /** The page without the run; null where there would be none. */
  left: CompareState | null;
}

function RemoveRun({ workspace, place, left }: RemoveRunProps) {
  if (left === null) return null;
  return (
    <span className="no-print">
      {" · "}
      <CompareLink
        className="link"
        prefetch={false}
        href={comparePath(workspace, left)}
        scroll={false}
        aria-label={`Remove run ${place + 1}`}
      >
        Remove
      </CompareLink>
    </span>
  );
}

interface AddRunsProps {
  workspace: string;
  state: CompareState;
  runs: readonly ComparedRun[];
  /** Those of them that have results. */
  measured: readonly ComparedRun[];
}

/** To the list, where others can be ticked as well. Not from runs of a report: the list has no place for them. */
function AddRuns({ workspace, state, runs, measured }: AddRunsProps) {
  if (state.reports || runs.length >= MOST_COMPARED) return null;
  const ticked = runs.map((run) => ({
    run_id: run.run_id,
    measured: measured.includes(run),
    ended: FINAL_STATES.includes(run.state),
  }));
  return (
    <p className="no-print">
      <TickingLink workspace={workspace} href={runsPath(workspace, {})} runs={ticked}>
        Add runs
      </TickingLink>
    </p>
  );
}

/** What the ratios are to. A link each, so that the choice is in the address. */
function Baselines({ workspace, state, comparison }: Omit<ComparePageProps, "mayShare">) {
  const { series, baseline } = comparison;
  const { baseline: _, ...runs } = state;
  return (
    <nav aria-label="Baseline" className="flex flex-wrap items-center gap-2">
      <span className="text-ink-2">Compared with</span>
      <CompareLink
        className="btn"
        data-size="small"
        aria-current={baseline === null ? "true" : undefined}
        href={comparePath(workspace, runs)}
      >
        each run's own baseline
      </CompareLink>
      {series.map(({ name }, place) => (
        <CompareLink
          key={`${place} ${name}`}
          className="btn max-w-full"
          data-size="small"
          aria-current={baseline === place ? "true" : undefined}
          href={comparePath(workspace, { ...runs, baseline: name })}
        >
          <SeriesGlyph style={styleAt(place)} />
          <bdi className="truncate">{plainLine(name)}</bdi>
        </CompareLink>
      ))}
    </nav>
  );
}
