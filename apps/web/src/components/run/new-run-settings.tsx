import type { HostTune } from "@rigmark/protocol";
import { BLOCKS_FOR_VERDICT, blockRange, precisionInWords } from "@rigmark/results/blocks";
import { useId } from "react";
import { mayTune, type Problems, type RunForm, toSpec } from "@/lib/new-run";
import { plainLine, plural } from "@/lib/text";
import { Field } from "../ui/field";

interface RunSettingsProps {
  form: RunForm;
  onChange: (form: RunForm) => void;
  problems: Problems;
  /** What the host's owner lets a run have tuned; null: nothing. */
  tune: HostTune | null;
}

export function RunSettings({ form, onChange, problems, tune }: RunSettingsProps) {
  const baseline = useId();
  const asked = toSpec(form, () => 0);
  const precision = problems.precision ? null : asked.precision;
  const { least, most } = blockRange({ ...asked, precision: asked.precision ?? 0 });
  const few =
    /^\d+$/.test(form.repeats.trim()) &&
    Number(form.repeats) > 0 &&
    (precision === null ? Number(form.repeats) : most) < BLOCKS_FOR_VERDICT;
  const set = (
    key: "title" | "repeats" | "precision" | "most" | "duration" | "warmup" | "slice" | "seed",
  ) => ({
    value: form[key],
    error: problems[key],
    onChange: (event: { target: { value: string } }) => onChange({ ...form, [key]: event.target.value }),
  });
  return (
    <div className="space-y-4">
      <Field label="Name" {...set("title")} maxLength={120} placeholder="What is compared, and why" />
      <Field
        label="Repeats"
        inputMode="numeric"
        {...set("repeats")}
        hint={
          few ? (
            <span className="text-warn">
              Fewer than {BLOCKS_FOR_VERDICT} blocks: the run shows figures, but gives no verdict.
            </span>
          ) : (
            "Blocks. In each, every entry is measured once, in random order."
          )
        }
      />
      <div>
        <div className="grid grid-cols-2 items-start gap-4">
          <Field label="Precision, ±" inputMode="decimal" unit="%" {...set("precision")} placeholder="none" />
          <Field
            label="At most"
            inputMode="numeric"
            unit="blocks"
            {...set("most")}
            placeholder={String(most)}
            disabled={!form.precision.trim()}
          />
        </div>
        <p className="mt-1 text-[0.929rem] text-ink-2" aria-live="polite">
          {precision === null
            ? "Set a precision to add blocks until every ratio to the baseline is known that precisely."
            : `At least ${plural(least, "block")}, then more until every ratio's confidence interval is within ${precisionInWords(precision)} or its verdict is settled, at most ${most}.`}
        </p>
      </div>
      <div className="grid grid-cols-2 items-start gap-4">
        <Field
          label="Duration"
          inputMode="decimal"
          unit="s"
          {...set("duration")}
          placeholder="as in scenario"
        />
        <Field label="Warm-up" inputMode="decimal" unit="s" {...set("warmup")} placeholder="as in scenario" />
      </div>
      <div>
        <label htmlFor={baseline} className="mb-1 block font-medium">
          Baseline
        </label>
        <select
          id={baseline}
          className="input"
          value={form.baseline ?? ""}
          disabled={form.entries.length === 0}
          onChange={(event) =>
            onChange({ ...form, baseline: event.target.value === "" ? null : Number(event.target.value) })
          }
        >
          <option value="">
            {form.entries[0] ? `${form.entries[0].label} (the first)` : "the first entry"}
          </option>
          {form.entries.slice(1).map((entry) => (
            <option key={entry.id} value={entry.id}>
              {entry.label}
            </option>
          ))}
        </select>
        <p className="mt-1 text-[0.929rem] text-ink-2">The entry that the others are compared with.</p>
      </div>
      {tune && <TuneChoice form={form} onChange={onChange} tune={tune} />}
      <details>
        <summary className="font-medium">Advanced</summary>
        <div className="mt-3 space-y-4">
          <Field
            label="Slice"
            inputMode="decimal"
            unit="s"
            {...set("slice")}
            placeholder="agent's default"
            hint="Within a block, the load alternates between the entries in slices, if the tool can run that briefly. 0 measures each trial in one piece."
          />
          <Field
            label="Seed"
            inputMode="numeric"
            {...set("seed")}
            placeholder="drawn when queued"
            hint="Sets the order of the trials. If two runs have the same seed, the shorter plan is the beginning of the longer one."
          />
        </div>
      </details>
    </div>
  );
}

interface TuneChoiceProps extends Pick<RunSettingsProps, "form" | "onChange"> {
  tune: HostTune;
}

/** Shown only where the host's owner lets runs ask for it. */
function TuneChoice({ form, onChange, tune }: TuneChoiceProps) {
  const about = useId();
  const can = mayTune(tune);
  return (
    <div>
      <label className={`flex gap-3 ${can ? "cursor-pointer" : "cursor-not-allowed"}`}>
        <input
          type="checkbox"
          className="mt-0.5"
          checked={form.tune && can}
          disabled={!can}
          aria-describedby={about}
          onChange={(event) => onChange({ ...form, tune: event.target.checked })}
        />
        <span className={can ? "font-medium" : "font-medium text-ink-3"}>Tune the host for this run</span>
      </label>
      <p id={about} className="mt-1 text-[0.929rem] text-ink-2 [overflow-wrap:anywhere]">
        {can
          ? `While it runs: ${tune.sets.map((name) => plainLine(TO[name] ?? name)).join(", ")}. Everything is restored afterward.`
          : "The host's owner allows it, but the agent lacks the rights to set anything."}
        {tune.missing.length > 0 && ` Not set: ${tune.missing.map(plainLine).join("; ")}.`}
      </p>
    </div>
  );
}

/** What each setting of the agent becomes (apps/agent/src/host/tune/setting.rs). */
const TO: Record<string, string> = {
  "CPU governor": "CPU governor performance",
  turbo: "turbo off",
  "address space randomization": "address space randomization off for every program on the host",
  "transparent huge pages": "transparent huge pages never",
};
