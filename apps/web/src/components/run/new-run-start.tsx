import type { RunListItem, RunOptions } from "@rigmark/results";
import Link from "next/link";
import type { RunForm } from "@/lib/new-run";
import { plainLine } from "@/lib/text";
import { TimeAgo } from "../ui/time-ago";
import { SuiteChoice } from "./new-run-suites";

/** A run whose plan can be taken over. */
export interface EarlierRun extends Pick<RunListItem, "run_id" | "title" | "created_at"> {
  host: Pick<RunListItem["host"], "name">;
}

interface StartChoiceProps {
  workspace: string;
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
  earlier: readonly EarlierRun[];
}

/** What the form can be filled in from: a suite, or an earlier run. Everything can still be changed. */
export function StartChoice({ workspace, earlier, ...suites }: StartChoiceProps) {
  return (
    <section className="min-w-0" aria-labelledby="start-from">
      <h2 id="start-from" className="mb-2">
        Start from
      </h2>
      <div className="panel max-h-72 overflow-y-auto lg:h-44">
        {suites.options.suites.length > 0 && (
          <>
            <h3 className="sticky top-0 z-10 border-line border-b bg-sunk px-4 py-1 font-medium">A suite</h3>
            <SuiteChoice {...suites} />
          </>
        )}
        {earlier.length > 0 && (
          <>
            <h3 className="sticky top-0 z-10 border-line border-y bg-sunk px-4 py-1 font-medium">
              An earlier run
            </h3>
            <ul className="divide-y divide-line">
              {earlier.map((run) => (
                <li key={run.run_id} className="flex flex-wrap gap-x-4 px-4 py-1.5">
                  <Link
                    className="link min-w-0 flex-1 basis-40 truncate"
                    href={`/w/${workspace}/runs/new?from=${run.run_id}`}
                    prefetch={false}
                  >
                    <bdi>{plainLine(run.title) || run.run_id.slice(0, 8)}</bdi>
                  </Link>
                  <span className="min-w-0 text-[0.929rem] text-ink-2">
                    <bdi>{plainLine(run.host.name)}</bdi> · <TimeAgo at={run.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          </>
        )}
        {suites.options.suites.length === 0 && earlier.length === 0 && (
          <p className="px-4 py-3 text-ink-2">
            Nothing yet. Choose servers and scenarios below; later runs can start from this one.
          </p>
        )}
      </div>
    </section>
  );
}
