import type { ServerListItem } from "@rigmark/results";
import Link from "next/link";
import { plainLine, plainText, plural } from "@/lib/text";

export function ServerList({ workspace, servers }: { workspace: string; servers: ServerListItem[] }) {
  return (
    <ul className="panel divide-y divide-line">
      {servers.map((server) => (
        <li
          key={server.name}
          className="relative grid gap-x-6 gap-y-1 px-4 py-3 hover:bg-sunk md:grid-cols-[minmax(0,1fr)_13rem_11rem]"
        >
          <div className="min-w-0">
            <Link
              href={`/w/${workspace}/servers/${server.name}`}
              className="block font-medium after:absolute after:inset-0 [overflow-wrap:anywhere]"
            >
              <bdi>{plainLine(server.title)}</bdi>{" "}
              <span className="font-normal text-ink-2">{plainLine(server.language)}</span>
            </Link>
            <p className="text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">{plainText(server.summary)}</p>
          </div>
          <p className="text-[0.929rem] text-ink-2">{server.workloads.join(", ")}</p>
          <p className={`text-[0.929rem] ${server.hosts.supported === 0 ? "text-warn" : "text-ink-2"}`}>
            works on {server.hosts.supported} of {plural(server.hosts.total, "host")}
          </p>
        </li>
      ))}
    </ul>
  );
}
