"use client";

import { formatQuantity } from "@rigmark/metrics";
import type { HostSummary } from "@rigmark/results";
import { useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { plainLine, plural } from "@/lib/text";
import { useTRPC } from "@/trpc/client";
import { StateBadge } from "../run/state-badge";
import { Problem } from "../ui/problem";
import { HostStatusLine } from "./host-status";

interface HostListProps {
  workspace: string;
  initial: HostSummary[];
  /** In one column, without those that were removed. */
  brief?: boolean;
}

export function HostList({ workspace, initial, brief = false }: HostListProps) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.host.list.queryOptions({ workspace }, { initialData: initial, refetchInterval: 10_000 }),
  );
  const shown = brief ? data.filter((host) => host.status !== "revoked") : data;
  return (
    <>
      {error && <Problem message={error.message} retry={() => refetch()} className="mb-4" />}
      <ul className="panel divide-y divide-line">
        {shown.map((host) => (
          <li
            key={host.host_id}
            className={`relative grid gap-x-6 gap-y-1 px-4 py-3 hover:bg-sunk ${brief ? "" : "md:grid-cols-[minmax(0,1fr)_15rem_13rem]"}`}
          >
            <div className="min-w-0">
              <Link
                prefetch={false}
                href={`/w/${workspace}/hosts/${host.host_id}`}
                className="block font-medium after:absolute after:inset-0 [overflow-wrap:anywhere]"
              >
                <bdi>{plainLine(host.name)}</bdi>
              </Link>
              <p className="text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">{hostInBrief(host)}</p>
            </div>
            <div className="text-[0.929rem]">
              <HostStatusLine host={host} />
            </div>
            <div className="min-w-0 text-[0.929rem] text-ink-2">
              {host.current_run ? (
                <span className="flex min-w-0 flex-wrap gap-x-2">
                  <StateBadge state={host.current_run.state} />
                  <span className="truncate">
                    <bdi>{plainLine(host.current_run.title)}</bdi>
                  </span>
                </span>
              ) : host.checks ? (
                checksInBrief(host.checks)
              ) : null}
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `Raspberry Pi 4 · 4 cores · 4 GiB · Debian 12 · aarch64` */
export function hostInBrief(host: HostSummary): string {
  const parts = [
    host.board ?? host.cpu_model,
    host.cpus_online ? plural(host.cpus_online, "CPU") : null,
    host.memory_bytes ? formatQuantity(host.memory_bytes, "bytes") : null,
    host.os_name ?? host.os,
    host.arch,
  ];
  return parts.flatMap((p) => (p ? [plainLine(p)] : [])).join(" · ") || "No details yet";
}

function checksInBrief({ ok, warn, fail }: NonNullable<HostSummary["checks"]>): string {
  if (fail > 0) return `doctor: ${fail} failed, ${warn} to fix`;
  if (warn > 0) return `doctor: ${warn} to fix, ${ok} in order`;
  return "doctor: all in order";
}
