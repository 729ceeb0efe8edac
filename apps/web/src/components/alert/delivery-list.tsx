import type { AlertDelivery } from "@rigmark/results";
import Link from "next/link";
import { plainLine, plainText, plural } from "@/lib/text";
import { formatMoment } from "@/lib/time";
import { TimeAgo } from "../ui/time-ago";

interface DeliveryListProps {
  workspace: string;
  deliveries: readonly AlertDelivery[];
}

const LAMPS = { waiting: "warn", sent: "good", failed: "bad" } as const;
const STATES = { waiting: "Waiting", sent: "Sent", failed: "Failed" } as const;

/** The last messages to webhooks and to the person, newest first. */
export function DeliveryList({ workspace, deliveries }: DeliveryListProps) {
  return (
    <section className="space-y-3">
      <h2>Recent messages</h2>
      {deliveries.length === 0 ? (
        <p className="text-ink-2">None yet.</p>
      ) : (
        <ul className="panel divide-y divide-line" aria-label="Recent messages">
          {deliveries.map((each) => (
            <li
              key={each.delivery_id}
              className="grid items-start gap-x-6 gap-y-0.5 px-4 py-3 md:grid-cols-[minmax(0,1fr)_16rem]"
            >
              <div className="min-w-0 [overflow-wrap:anywhere]">
                <p>
                  {each.run_id ? (
                    <Link prefetch={false} className="link" href={`/w/${workspace}/runs/${each.run_id}`}>
                      {plainLine(each.text)}
                    </Link>
                  ) : each.test ? (
                    "Test"
                  ) : (
                    plainLine(each.text)
                  )}
                </p>
                <p className="text-[0.929rem] text-ink-2">
                  to {plainLine(each.to)}, <TimeAgo at={each.created_at} />
                </p>
              </div>
              <Outcome delivery={each} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Outcome({ delivery }: { delivery: AlertDelivery }) {
  const { state, tries, status, error, next_try_at } = delivery;
  return (
    <div className="min-w-0 text-[0.929rem] [overflow-wrap:anywhere]">
      <p className="flex items-center gap-1.5">
        <span className="lamp" data-on={LAMPS[state]} aria-hidden="true" />
        {STATES[state]}
        {status !== null && `, status ${status}`}
        {tries > 1 && `, ${plural(tries, "attempt")}`}
      </p>
      {error && <p className="text-ink-2">{plainText(error)}</p>}
      {state === "waiting" && tries > 0 && next_try_at && (
        <p className="text-ink-2">Next attempt: {formatMoment(next_try_at)}</p>
      )}
    </div>
  );
}
