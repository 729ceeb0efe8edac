"use client";

import type { ArchiveBuild } from "@rigmark/results";
import { formatSpan } from "@/lib/time";
import { useNow } from "../ui/time-ago";
import { TARGET_NAMES } from "./release-targets";

interface ArchiveBuildsProps {
  archives: readonly ArchiveBuild[];
  held: boolean;
}

export const isReady = (archives: readonly ArchiveBuild[]): boolean =>
  archives.every(({ state }) => state === "ready");

const LAMPS = { waiting: "", building: "live", ready: "good", failed: "bad", stopped: "warn" } as const;

/** How far the agents that hosts download are, a line for each kind of host. */
export function ArchiveBuilds({ archives, held }: ArchiveBuildsProps) {
  const now = useNow(1000);
  if (isReady(archives)) return <p className="text-ink-2">The agents for all kinds of hosts are ready.</p>;
  return (
    <div>
      <h2 className="text-[1rem]">Agents for hosts</h2>
      <ul className="mt-1 divide-y divide-line">
        {archives.map((build) => (
          <li
            key={build.target}
            className="grid grid-cols-[0.6rem_minmax(0,1fr)] items-center gap-x-3 py-1.5 sm:grid-cols-[0.6rem_minmax(0,1fr)_auto]"
          >
            <span className="lamp" data-on={LAMPS[build.state]} aria-hidden="true" />
            <span>{TARGET_NAMES[build.target]}</span>
            <span className="col-start-2 text-ink-2 sm:col-start-3">{wordsOf(build, held, now)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function wordsOf(build: ArchiveBuild, held: boolean, now: number | null): string {
  const took = build.took_s === null ? "" : ` in ${formatSpan(build.took_s)}`;
  switch (build.state) {
    case "waiting":
      return "waiting for its turn";
    case "building": {
      if (held) return "paused while this machine measures";
      const since = now === null || build.began_at === null ? null : now - new Date(build.began_at).getTime();
      return since === null ? "being built" : `being built, ${formatSpan(Math.max(0, since / 1000))} so far`;
    }
    case "ready":
      return `ready, built${took}`;
    case "failed":
      return "not built; see .rig/log/archives.log";
    case "stopped":
      return "not built yet; stopped before it finished";
  }
}
