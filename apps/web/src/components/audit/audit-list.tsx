import type { AuditEvent } from "@rigmark/results";
import { AUDIT_WORDS } from "@rigmark/results/choices";
import { plainLine } from "@/lib/text";
import { formatMoment } from "@/lib/time";

/** A sentence for each event, the newest first. */
export function AuditList({ events }: { events: readonly AuditEvent[] }) {
  return (
    <ol className="panel divide-y divide-line">
      {events.map((event) => (
        <li
          key={event.event_id}
          className="grid gap-x-6 gap-y-1 px-4 py-2 sm:grid-cols-[12rem_minmax(0,1fr)]"
        >
          <time dateTime={event.at} className="text-[0.929rem] text-ink-2">
            {formatMoment(event.at)}
          </time>
          <p className="min-w-0 [overflow-wrap:anywhere]">
            <bdi className="font-medium">{plainLine(event.actor) || "Somebody"}</bdi>
            {event.token !== null && (
              <span className="text-ink-2">
                {" "}
                (token <bdi>{plainLine(event.token)}</bdi>)
              </span>
            )}{" "}
            {AUDIT_WORDS[event.what]}
            {event.subject !== "" && (
              <>
                {" "}
                <bdi>{plainLine(event.subject)}</bdi>
              </>
            )}
          </p>
        </li>
      ))}
    </ol>
  );
}
