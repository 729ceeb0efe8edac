import type { RunFilterValues, RunListFilter } from "@rigmark/results";
import type { RunFilterName } from "@rigmark/results/run-list";
import Link from "next/link";
import { chosenIn, FILTER_TITLES, labelOf, runsPath, valuesOf, without } from "@/lib/run-filter";
import { plainLine } from "@/lib/text";
import { Empty } from "../ui/empty";

interface NoMatchProps {
  workspace: string;
  filter: RunListFilter;
  offered: RunFilterValues["filters"];
  /** Filters without which some run would match. */
  drop: readonly RunFilterName[];
}

/** No run matches: which filter to drop. */
export function NoMatch({ workspace, filter, offered, drop }: NoMatchProps) {
  const bySource = ["branch", "repository", "commit", "pullRequest"] as const;
  const several = chosenIn(filter).length > 1;
  return (
    <Empty
      title="No run matches"
      action={
        <Link className="btn" href={runsPath(workspace, {})}>
          Show all runs
        </Link>
      }
    >
      {drop.length > 0 ? (
        <>
          <p>{several ? "To see runs, remove one of these filters:" : "To see runs, remove this filter:"}</p>
          <ul className="mt-1">
            {drop.map((name) => (
              <li key={name}>
                <Link className="link" href={runsPath(workspace, without(filter, name))}>
                  Remove {FILTER_TITLES[name]}{" "}
                  <bdi>
                    {valuesOf(filter, name)
                      .map((value) => plainLine(labelOf(offered, name, value)))
                      .join(", ")}
                  </bdi>
                </Link>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          {several
            ? "Removing just one of these filters does not help."
            : "There are no runs without this filter, either."}
        </p>
      )}
      {bySource.some((name) => drop.includes(name)) && (
        <p className="mt-2">
          A run has a branch, a commit or a pull request only if CI or the terminal sent it with the run.
        </p>
      )}
    </Empty>
  );
}
