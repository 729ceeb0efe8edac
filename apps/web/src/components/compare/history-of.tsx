import Link from "next/link";
import { historyPath } from "@/lib/history-path";
import { plainLine } from "@/lib/text";

interface HistoryOfProps {
  workspace: string;
  hostId: string;
  scenario: string;
  label: string;
}

/** To all runs of the entry on that host, of which two are compared here. */
export const HistoryOf = ({ workspace, hostId, scenario, label }: HistoryOfProps) => (
  <Link
    className="link"
    prefetch={false}
    href={historyPath(workspace, { hostId, scenario, label })}
    aria-label={`History of ${plainLine(label)}`}
  >
    History
  </Link>
);
