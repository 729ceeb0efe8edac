import type { AlertMessage } from "@rigmark/results";
import { plainLine, plural } from "@/lib/text";
import { TimeAgo } from "../ui/time-ago";

const SHOWN = 3;

/** What a run showed: the first findings, each leading to where it is seen. */
export function AlertBrief({ alert }: { alert: AlertMessage }) {
  const { findings, run, created_at } = alert;
  const others = findings.length + alert.more - Math.min(SHOWN, findings.length);
  return (
    <li className="space-y-1 px-4 py-2.5 [overflow-wrap:anywhere]">
      {findings.slice(0, SHOWN).map((finding) => (
        <p key={`${finding.kind} ${finding.scenario} ${finding.entry}`}>
          <a className="link" href={pathOf(finding.url)}>
            {plainLine(`${finding.scenario_title}: ${finding.sentence}`)}
          </a>
          {finding.first_run && (
            <>
              {" · "}
              <a className="link" href={pathOf(finding.first_run.url)}>
                First run after the change
              </a>
            </>
          )}
        </p>
      ))}
      <p className="text-[0.929rem] text-ink-2">
        {others > 0 && `And ${plural(others, "other")}. `}
        {run && (
          <>
            <bdi>{plainLine(run.host)}</bdi> ·{" "}
          </>
        )}
        <TimeAgo at={created_at} />
      </p>
    </li>
  );
}

/** Messages carry whole addresses; the page may be reached at another one. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
