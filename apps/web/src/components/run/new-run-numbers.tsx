import type { CatalogueScenario, NumberName } from "@rigmark/protocol";
import { NUMBER_RANGES } from "@rigmark/results/scenario-numbers";
import { useId } from "react";
import { NUMBER_WORDS, type NumbersForm, wrongNumber } from "@/lib/new-run";
import { plainLine } from "@/lib/text";

const UNITS: Partial<Record<NumberName, string>> = { duration: "s", rate: "a second" };
/** Those that are worth a field of their own; the command line sets the others too. */
const SHOWN: readonly NumberName[] = ["connections", "rate", "duration"];

interface NumberFieldsProps {
  item: CatalogueScenario;
  numbers: NumbersForm;
  onChange: (numbers: NumbersForm) => void;
  problem: string | undefined;
}

/** Numbers of a chosen scenario that the run may set; what is left empty is the scenario's own. */
export function NumberFields({ item, numbers, onChange, problem }: NumberFieldsProps) {
  const message = useId();
  const { scenario, settable } = item;
  const wrong = problem ? wrongNumber(numbers, settable ?? []) : null;
  const own: Partial<Record<NumberName, number>> = {
    connections: scenario.load.connections,
    duration: scenario.duration_s,
    ...(scenario.load.kind === "rate" && { rate: scenario.load.rate_per_s }),
  };
  const names = SHOWN.filter((name) => settable?.includes(name));
  if (names.length === 0) return null;
  return (
    <div className="mt-2 sm:ml-7" {...(problem ? { "data-problem": "" } : {})}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-[0.929rem]">
        {names.map((name) => {
          const { min, max } = NUMBER_RANGES[name];
          return (
            <label key={name} className="flex items-center gap-2">
              <span className="text-ink-2">{NUMBER_WORDS[name]}</span>
              <input
                className="input min-w-20"
                style={{ width: `${String(max).length + 5}ch` }}
                type="number"
                inputMode={name === "duration" ? "decimal" : "numeric"}
                min={min}
                max={max}
                step={name === "duration" ? "any" : 1}
                value={numbers[name] ?? ""}
                placeholder={String(own[name] ?? "")}
                aria-label={`${NUMBER_WORDS[name]} of ${plainLine(scenario.title)}`}
                title={`${min} to ${max}`}
                {...(name === wrong ? { "aria-invalid": true, "aria-describedby": message } : {})}
                onChange={(event) => onChange({ ...numbers, [name]: event.target.value })}
              />
              {UNITS[name] && <span className="text-ink-2">{UNITS[name]}</span>}
            </label>
          );
        })}
      </div>
      {problem && (
        <p id={message} className="mt-1 text-[0.929rem] text-bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
