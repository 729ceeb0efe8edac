import type { DoctorCheck } from "@rigmark/protocol";
import { plainLine } from "@/lib/text";
import { Cure, Prose } from "../ui/prose";

const WORDS = { ok: "in order", warn: "fix", fail: "failed", unknown: "unknown" } as const;
const LAMPS = { ok: "good", warn: "warn", fail: "bad", unknown: undefined } as const;
const ORDER = ["fail", "warn", "unknown", "ok"];

/** What doctor looked at, what it found, why it matters, and the cure. Worst first. */
export function DoctorChecks({ checks }: { checks: readonly DoctorCheck[] }) {
  if (checks.length === 0) return <p className="text-ink-2">The agent has sent no checks.</p>;
  const sorted = [...checks].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
  return (
    <ul className="divide-y divide-line">
      {sorted.map((check) => (
        <li key={check.id} className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[6.5rem_minmax(0,1fr)]">
          <span className="inline-flex items-center gap-1.5 self-start text-[0.929rem]">
            <span className="lamp" data-on={LAMPS[check.status]} aria-hidden="true" />
            {WORDS[check.status]}
          </span>
          <div className="min-w-0 [overflow-wrap:anywhere]">
            <p>
              <span className="font-medium">{plainLine(check.title)}</span>
              <span className="text-ink-2">
                : <Prose text={check.found} />
              </span>
            </p>
            {check.status !== "ok" && check.why && (
              <p className="text-[0.929rem] text-ink-2">
                <Prose text={check.why} />
              </p>
            )}
            {check.status !== "ok" && check.fix && (
              <p className="mt-1">
                <Cure text={check.fix} />
              </p>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}
