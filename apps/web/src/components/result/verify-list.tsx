import { formatNumber } from "@rigmark/metrics";
import type { Conformance, PlanEntry } from "@rigmark/protocol";
import type { VerifyView } from "@rigmark/results";
import { plainLine, plainText, plural } from "@/lib/text";
import { Term } from "../ui/term";
import { ConformanceList } from "./conformance-list";

/** Failed checks with both byte counts, and how many passed. */
export function VerifyList({
  verify,
  conformance,
  entries,
}: {
  verify: readonly VerifyView[];
  conformance: readonly Conformance[];
  entries: readonly PlanEntry[];
}) {
  const label = (key: string) =>
    plainLine(entries.find((e) => e.key === key)?.label ?? "an entry that the plan does not have");
  const failed = verify.filter((v) => v.status === "failed");
  const checks = verify.flatMap((v) => v.checks);
  const count = (status: string) => checks.filter((c) => c.status === status).length;
  if (verify.length === 0) return <p className="text-ink-2">No verification was reported.</p>;
  return (
    <div>
      <p className="text-ink-2">
        {plural(verify.length, "verification")} before and after trials: {plural(count("passed"), "check")}{" "}
        passed
        {count("failed") > 0 ? `, ${count("failed")} failed` : ""}
        {count("skipped") > 0 ? `, ${count("skipped")} skipped` : ""}.
      </p>
      {failed.length > 0 && (
        <ul className="mt-3 space-y-3">
          {dedupe(failed).map(({ view, times }) => (
            <li key={`${view.entry_key}:${view.when}:${view.workload}`} className="note" data-tone="bad">
              <p className="font-medium">
                <bdi>{label(view.entry_key)}</bdi> failed verification of {view.workload} {view.when} a trial
                {times > 1 ? `, ${times} times` : ""}.
              </p>
              <ul className="mt-1 text-[0.929rem]">
                {view.checks
                  .filter((c) => c.status === "failed")
                  .map((c) => (
                    <li key={c.id} className="[overflow-wrap:anywhere]">
                      {plainLine(c.title)}: {c.message ? plainText(c.message) : "failed"}
                      {c.expected_bytes !== null && c.actual_bytes !== null && (
                        <span className="text-ink-2">
                          {" "}
                          ({formatNumber(c.actual_bytes)} of {formatNumber(c.expected_bytes)} bytes)
                        </span>
                      )}
                    </li>
                  ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {conformance.length > 0 && (
        <div className="mt-4">
          <h3 className="mb-1">
            <Term id="conformance">Conformance</Term>
          </h3>
          <p className="mb-1 text-ink-2">
            What else HTTP asks for. No load here sends it, so nobody is left out for it.
          </p>
          <ConformanceList rows={conformance.map((of) => ({ name: label(of.entry_key), of }))} />
        </div>
      )}
    </div>
  );
}

/** The same failure in every block is one line. */
function dedupe(failed: readonly VerifyView[]): { view: VerifyView; times: number }[] {
  const seen = new Map<string, { view: VerifyView; times: number }>();
  for (const view of failed) {
    const key = `${view.entry_key}:${view.when}:${view.workload}`;
    const known = seen.get(key);
    if (known) known.times += 1;
    else seen.set(key, { view, times: 1 });
  }
  return [...seen.values()];
}
