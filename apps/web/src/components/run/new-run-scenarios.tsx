import { formatDuration } from "@rigmark/metrics";
import type { CatalogueScenario, NumberName } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { NUMBER_RANGES } from "@rigmark/results/scenario-numbers";
import { loadInWords } from "@/lib/load-words";
import { NUMBER_WORDS, type NumbersForm, type Problems, type RunForm } from "@/lib/new-run";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ReasonAndCure } from "../ui/prose";

interface ScenarioChoiceProps {
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
  problems: Problems;
}

export function ScenarioChoice({ options, form, onChange, problems }: ScenarioChoiceProps) {
  const own = (workload: string) => workload === "http";
  // What somebody wrote for this host is what they look for.
  const workloads = [...new Set(options.scenarios.map((s) => s.scenario.workload))].sort(
    (a, b) => Number(own(b)) - Number(own(a)),
  );
  const toggle = (id: string) =>
    onChange({
      ...form,
      scenarios: form.scenarios.includes(id)
        ? form.scenarios.filter((s) => s !== id)
        : [...form.scenarios, id],
    });
  return (
    <fieldset>
      <legend className="block">
        <h2>Scenarios</h2>
      </legend>
      <p className="mb-2 text-ink-2">
        One workload under one load. Throughput is ranked from closed-loop load, latency from a fixed rate.
      </p>
      {problems.scenarios && (
        <p className="note mb-2" data-tone="bad" data-problem role="alert">
          {problems.scenarios}
        </p>
      )}
      <div className="space-y-3">
        {workloads.map((workload) => (
          <section key={workload} className="panel" aria-label={workload}>
            <h3 className="border-line border-b px-4 py-1.5 text-ink-2">
              {own(workload) ? "Your own loads" : workload}
            </h3>
            <ul className="divide-y divide-line">
              {options.scenarios
                .filter((s) => s.scenario.workload === workload)
                .map((item) => (
                  <ScenarioItem
                    key={item.scenario.id}
                    item={item}
                    checked={form.scenarios.includes(item.scenario.id)}
                    onToggle={() => toggle(item.scenario.id)}
                    numbers={form.numbers[item.scenario.id] ?? {}}
                    onNumbers={(numbers) =>
                      onChange({ ...form, numbers: { ...form.numbers, [item.scenario.id]: numbers } })
                    }
                    problem={problems[`scenario-${item.scenario.id}`]}
                  />
                ))}
            </ul>
          </section>
        ))}
      </div>
    </fieldset>
  );
}

function ScenarioItem({
  item,
  checked,
  onToggle,
  numbers,
  onNumbers,
  problem,
}: {
  item: CatalogueScenario;
  checked: boolean;
  onToggle: () => void;
  numbers: NumbersForm;
  onNumbers: (numbers: NumbersForm) => void;
  problem: string | undefined;
}) {
  const w = useWords();
  const { scenario } = item;
  return (
    <li className="px-4 py-2">
      <label className={`flex gap-3 ${item.supported ? "cursor-pointer" : "cursor-not-allowed"}`}>
        <input
          type="checkbox"
          className="mt-0.5"
          checked={checked}
          disabled={!item.supported && !checked}
          onChange={onToggle}
          aria-label={plainLine(scenario.title)}
        />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <bdi className={item.supported ? "font-medium" : "font-medium text-ink-3"}>
            {plainLine(scenario.title)}
          </bdi>
          <span className="block text-[0.929rem] text-ink-2">
            {scenario.tool}, {loadInWords(w, scenario.load)}, {formatDuration(scenario.duration_s)} after{" "}
            {formatDuration(scenario.warmup_s)} of warm-up
          </span>
          {!item.supported && (
            <span className="block text-[0.929rem] text-warn">
              <ReasonAndCure reason={item.reason} fix={item.fix} />
            </span>
          )}
        </span>
      </label>
      {checked && item.supported && (
        <NumberFields item={item} numbers={numbers} onChange={onNumbers} problem={problem} />
      )}
    </li>
  );
}

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
function NumberFields({ item, numbers, onChange, problem }: NumberFieldsProps) {
  const { scenario, settable } = item;
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
                onChange={(event) => onChange({ ...numbers, [name]: event.target.value })}
              />
              {UNITS[name] && <span className="text-ink-2">{UNITS[name]}</span>}
            </label>
          );
        })}
      </div>
      {problem && (
        <p className="mt-1 text-[0.929rem] text-bad" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
