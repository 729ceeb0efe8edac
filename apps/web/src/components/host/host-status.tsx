import type { HostSummary } from "@rigmark/results";
import { TimeAgo } from "../ui/time-ago";

const LAMPS = { online: "good", offline: "warn", waiting: "live", revoked: "bad", published: "off" } as const;

/** Online or not, with when it was heard of last. */
export function HostStatusLine({
  host,
}: {
  host: Pick<HostSummary, "status" | "last_seen_at" | "revoked_at">;
}) {
  return (
    <span className="inline-flex items-center gap-1.5">
      <span className="lamp" data-on={LAMPS[host.status]} aria-hidden="true" />
      <span>
        {host.status === "online" && "online"}
        {host.status === "offline" && (
          <>
            offline, last seen <TimeAgo at={host.last_seen_at} />
          </>
        )}
        {host.status === "waiting" && "enrolled, not connected yet"}
        {host.status === "published" && "from published files, no agent"}
        {host.status === "revoked" && (
          <>
            revoked <TimeAgo at={host.revoked_at} />
          </>
        )}
      </span>
    </span>
  );
}
