import type { ServerOnHost } from "@rigmark/results";
import Link from "next/link";
import { plainLine } from "@/lib/text";
import { ReasonAndCure } from "../ui/prose";

/** On which hosts the server builds; for the others the reason and the cure. */
export function ServerHosts({ workspace, hosts }: { workspace: string; hosts: readonly ServerOnHost[] }) {
  return (
    <ul className="panel divide-y divide-line">
      {hosts.map((host) => (
        <li
          key={host.host_id}
          className="grid gap-x-6 gap-y-1 px-4 py-2.5 md:grid-cols-[16rem_minmax(0,1fr)_8rem]"
        >
          <span className="min-w-0 [overflow-wrap:anywhere]">
            <Link
              prefetch={false}
              className="link font-medium"
              href={`/w/${workspace}/hosts/${host.host_id}`}
            >
              <bdi>{plainLine(host.name)}</bdi>
            </Link>
            <span className="block text-[0.929rem] text-ink-2">
              {[host.arch, host.os_name === null ? null : plainLine(host.os_name)].filter(Boolean).join(", ")}
            </span>
          </span>
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {host.supported ? (
              "builds and runs here"
            ) : (
              <span className="text-warn">
                <ReasonAndCure reason={host.reason} fix={host.fix} />
              </span>
            )}
          </span>
          <code className="text-ink-2 md:text-right" title={`content ${host.content_hash}`}>
            {host.content_hash.slice(0, 12)}
          </code>
        </li>
      ))}
    </ul>
  );
}
