import type { RunView } from "@rigmark/results";
import { plainText, plural } from "@/lib/text";

/** Why a run ended as it did, and what of it is missing. */
export function RunTroubles({ run }: { run: RunView }) {
  const { error, missing, corrupt_records } = run;
  if (!error && missing.length === 0 && corrupt_records === 0) return null;
  return (
    <div className="space-y-3">
      {error && (
        <div className="note" data-tone={run.state === "cancelled" ? "warn" : "bad"} role="alert">
          <p>{plainText(error.message)}</p>
        </div>
      )}
      {(missing.length > 0 || corrupt_records > 0) && (
        <div className="note" data-tone="warn">
          {missing.map((gap) => (
            <p key={`${gap.stream}:${gap.from_seq}`}>
              Missing from the {gap.stream === "raw" ? "raw output" : gap.stream}:{" "}
              {gap.to_seq === null
                ? `everything from chunk ${gap.from_seq} on`
                : gap.to_seq - gap.from_seq === 1
                  ? `chunk ${gap.from_seq}`
                  : `chunks ${gap.from_seq} to ${gap.to_seq - 1}`}
              .
            </p>
          ))}
          {corrupt_records > 0 && (
            <p>{plural(corrupt_records, "record")} could not be read on the host and cannot be recovered.</p>
          )}
          {!run.final || run.state === "incomplete" ? (
            <p className="text-ink-2">Data that arrives later can still complete the run.</p>
          ) : null}
        </div>
      )}
    </div>
  );
}
