import type { Source } from "@rigmark/protocol";
import type { HistoryView } from "@rigmark/results";
import { commitsBetween } from "@rigmark/results/source";
import Link from "next/link";
import { columnsOf } from "@/lib/columns";
import { comparePath } from "@/lib/compare-path";
import { type HistoryState, historiesPath, historyPath } from "@/lib/history-path";
import { followedRun } from "@/lib/results/history-figure";
import { plainLine, plural } from "@/lib/text";
import { useWords } from "@/lib/words";
import { SourceLine } from "../run/source-line";
import { PageHead } from "../ui/page-head";
import { TimeAgo } from "../ui/time-ago";
import { HistoryBadge } from "./history-badge";
import { HistoryChart } from "./history-chart";

interface HistoryPageProps {
  workspace: string;
  state: HistoryState;
  view: HistoryView;
}

/** An entry under a scenario on a host over its runs, and since when it is faster or slower. */
export function HistoryPage({ workspace, state, view }: HistoryPageProps) {
  const w = useWords();
  const { series, other_load, changes, metric, load, relative_to, badge } = view;
  return (
    <div className="space-y-6">
      <PageHead title={`History of ${plainLine(series.label)}`}>
        {w.title(plainLine(series.title))}, on <bdi>{plainLine(series.host.name)}</bdi>. {view.sentence}
      </PageHead>
      <RelativeTo {...{ workspace, state, view }} />
      <section>
        <h2 className="sr-only">Values by run</h2>
        <HistoryChart
          workspace={workspace}
          followed={{ series, changes, metric, load, relative_to }}
          runs={columnsOf(view.points.map(followedRun))}
        />
      </section>
      <Changes {...{ workspace, view }} />
      {other_load > 0 && (
        <p className="note">
          {plural(other_load, "run")} with a different load under the same scenario{" "}
          {other_load === 1 ? "is" : "are"} not shown, because the figures are not comparable.
        </p>
      )}
      <HistoryBadge workspace={workspace} view={{ series, relative_to, badge }} />
      <p>
        <Link className="link" href={historiesPath(workspace)}>
          All histories
        </Link>
      </p>
    </div>
  );
}

/** What the values are ratios to. A link each, so that the choice is in the address. */
function RelativeTo({ workspace, state, view }: HistoryPageProps) {
  const choices = [null, ...view.others];
  if (choices.length === 1) return null;
  return (
    <nav aria-label="Relative to" className="flex flex-wrap items-center gap-2">
      <span className="text-ink-2">Show</span>
      {choices.map((label) => (
        <Link
          key={label ?? ""}
          className="btn max-w-full"
          data-size="small"
          aria-current={view.relative_to === label ? "true" : undefined}
          href={historyPath(workspace, { ...state, relativeTo: label })}
        >
          {label === null ? "figures" : <bdi className="truncate">ratio to {plainLine(label)}</bdi>}
        </Link>
      ))}
    </nav>
  );
}

/** Each change with the run before it and the first one after, newest first. */
function Changes({ workspace, view }: Omit<HistoryPageProps, "state">) {
  const { changes, points } = view;
  if (changes.length === 0) return null;
  return (
    <section className="space-y-3">
      <h2>{plural(changes.length, "change")}</h2>
      <ol className="panel divide-y divide-line">
        {[...changes].reverse().map((change) => {
          const [before, first] = [points[change.at - 1], points[change.at]];
          if (!before || !first) return null;
          return (
            <li key={change.at} className="space-y-0.5 px-4 py-3">
              <p data-verdict={change.verdict}>{plainLine(change.sentence)}</p>
              <p className="text-ink-2">
                Since{" "}
                <Link prefetch={false} className="link" href={`/w/${workspace}/runs/${first.run_id}`}>
                  <bdi>{plainLine(first.title) || first.run_id.slice(0, 8)}</bdi>
                </Link>{" "}
                {"· "}
                <Link
                  className="link"
                  href={comparePath(workspace, { runIds: [before.run_id, first.run_id] })}
                >
                  Compare with the previous run
                </Link>
                {/* Last: it is as wide as the browser words it, and nothing after it may move. */}
                {" · "}
                <TimeAgo at={first.created_at} />
              </p>
              {first.source && (
                <p className="text-ink-2">
                  <SourceLine source={first.source} workspace={workspace} />
                  {before.source && <CommitsBetween before={before.source} after={first.source} />}
                </p>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}

/** What was changed between two runs, where their forge has a page of it. */
function CommitsBetween({ before, after }: { before: Source; after: Source }) {
  const link = commitsBetween(before, after);
  if (link === null) return null;
  return (
    <>
      {" · "}
      <a className="link" href={link} rel="noreferrer nofollow">
        Commits between
      </a>
    </>
  );
}
