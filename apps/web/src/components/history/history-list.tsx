import type { HistorySeries } from "@rigmark/results";
import Link from "next/link";
import { historyPath } from "@/lib/history-path";
import { plainLine, plural } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Text } from "../ui/text";
import { TimeAgo } from "../ui/time-ago";

interface HistoryListProps {
  workspace: string;
  series: HistorySeries[];
}

/** What can be followed: entries by host and scenario. */
export function HistoryList({ workspace, series }: HistoryListProps) {
  const w = useWords();
  const groups = new Map<string, HistorySeries[]>();
  for (const each of series) {
    const key = `${each.host.host_id} ${each.scenario}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return (
    <div className="space-y-6">
      {[...groups].map(([key, of]) => {
        const [first] = of;
        if (!first) return null;
        return (
          <section key={key} className="space-y-2">
            <h2 className="text-base">
              <Text text={w.title(plainLine(first.title))} />{" "}
              <span className="font-normal text-ink-2">
                on <bdi>{plainLine(first.host.name)}</bdi>
              </span>
            </h2>
            <ul className="panel divide-y divide-line">
              {of.map(({ host, scenario, label, server, runs, newest_at }) => (
                <li
                  key={label}
                  className="relative grid gap-x-6 gap-y-0.5 px-4 py-2.5 hover:bg-sunk sm:grid-cols-[minmax(0,1fr)_6rem_9rem]"
                >
                  <span className="min-w-0 [overflow-wrap:anywhere]">
                    <Link
                      className="font-medium after:absolute after:inset-0"
                      href={historyPath(workspace, { hostId: host.host_id, scenario, label })}
                    >
                      <bdi>{plainLine(label)}</bdi>
                    </Link>
                    {server !== label && <span className="text-ink-2"> ({plainLine(server)})</span>}
                  </span>
                  <span className="text-ink-2">{plural(runs, "run")}</span>
                  <span className="text-ink-2">
                    <TimeAgo at={newest_at} />
                  </span>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </div>
  );
}
