import type { RunListItem, RunOptions, ScheduleView } from "@rigmark/results";
import { timesInWords } from "@rigmark/results/schedule";
import Link from "next/link";
import type { ReactNode } from "react";
import type { RunForm } from "@/lib/new-run";
import { plainLine } from "@/lib/text";
import { TimeAgo } from "../ui/time-ago";
import { SuiteChoice } from "./new-run-suites";

/** A run whose plan can be taken over. */
export interface EarlierRun extends Pick<RunListItem, "run_id" | "title" | "created_at"> {
  host: Pick<RunListItem["host"], "name">;
}

/** A schedule whose plan can be taken over. */
export interface SavedPlan extends Pick<ScheduleView, "schedule_id" | "name" | "minute" | "days"> {
  host: Pick<ScheduleView["host"], "name">;
}

interface StartChoiceProps {
  workspace: string;
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
  earlier: readonly EarlierRun[];
  schedules: readonly SavedPlan[];
}

const OF_LINKS = "sticky top-0 z-10 border-line border-y bg-sunk px-4 py-1 font-medium";

/** What the form can be filled in from: a suite, a schedule or an earlier run. Everything can still be changed. */
export function StartChoice({ workspace, earlier, schedules, ...suites }: StartChoiceProps) {
  const offered = suites.options.suites.length + schedules.length + earlier.length;
  const newRun = `/w/${workspace}/runs/new`;
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
        {schedules.length > 0 && (
          <>
            <h3 className={OF_LINKS}>A schedule</h3>
            <ul className="divide-y divide-line">
              {schedules.map((plan) => (
                <StartLink
                  key={plan.schedule_id}
                  href={`${newRun}?schedule=${plan.schedule_id}`}
                  name={plainLine(plan.name)}
                >
                  <bdi>{plainLine(plan.host.name)}</bdi> · {timesInWords(plan)}
                </StartLink>
              ))}
            </ul>
          </>
        )}
        {earlier.length > 0 && (
          <>
            <h3 className={OF_LINKS}>An earlier run</h3>
            <ul className="divide-y divide-line">
              {earlier.map((run) => (
                <StartLink
                  key={run.run_id}
                  href={`${newRun}?from=${run.run_id}`}
                  name={plainLine(run.title) || run.run_id.slice(0, 8)}
                >
                  <bdi>{plainLine(run.host.name)}</bdi> · <TimeAgo at={run.created_at} />
                </StartLink>
              ))}
            </ul>
          </>
        )}
        {offered === 0 && (
          <p className="px-4 py-3 text-ink-2">
            Nothing yet. Choose servers and scenarios below; later runs can start from this one.
          </p>
        )}
      </div>
    </section>
  );
}

/** The page anew, with the form filled in. */
function StartLink({ href, name, children }: { href: string; name: string; children: ReactNode }) {
  return (
    <li className="flex flex-wrap gap-x-4 px-4 py-1.5">
      <Link className="link min-w-0 flex-1 basis-40 truncate" href={href} prefetch={false}>
        <bdi>{name}</bdi>
      </Link>
      <span className="min-w-0 text-[0.929rem] text-ink-2">{children}</span>
    </li>
  );
}
