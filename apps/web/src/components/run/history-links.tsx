import type { PlanEntry } from "@rigmark/protocol";
import Link from "next/link";
import { Fragment } from "react";
import { historyPath } from "@/lib/history-path";
import { plainLine } from "@/lib/text";

interface HistoryLinksProps {
  workspace: string;
  hostId: string;
  scenario: string;
  entries: readonly Pick<PlanEntry, "key" | "label">[];
}

/** From a run to what its entries showed in other runs on its host. */
export function HistoryLinks({ workspace, hostId, scenario, entries }: HistoryLinksProps) {
  return (
    <p className="no-print text-ink-2 [overflow-wrap:anywhere]">
      History:{" "}
      {entries.map(({ key, label }, place) => (
        <Fragment key={key}>
          {place > 0 && " · "}
          <Link className="link" prefetch={false} href={historyPath(workspace, { hostId, scenario, label })}>
            <bdi>{plainLine(label)}</bdi>
          </Link>
        </Fragment>
      ))}
    </p>
  );
}
