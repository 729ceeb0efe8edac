import { formatDuration } from "@rigmark/metrics";
import type { CatalogueScenario } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { loadInWords } from "@/lib/load-words";
import type { RunForm } from "@/lib/new-run";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { Cure, Prose } from "../ui/prose";

interface ScenarioChoiceProps {
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
  problem: string | undefined;
}

export function ScenarioChoice({ options, form, onChange, problem }: ScenarioChoiceProps) {
  const workloads = [...new Set(options.scenarios.map((s) => s.scenario.workload))];
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
      {problem && (
        <p className="note mb-2" data-tone="bad" data-problem role="alert">
          {problem}
        </p>
      )}
      <div className="space-y-3">
        {workloads.map((workload) => (
          <section key={workload} className="panel" aria-label={workload}>
            <h3 className="border-line border-b px-4 py-1.5 text-ink-2">{workload}</h3>
            <ul className="divide-y divide-line">
              {options.scenarios
                .filter((s) => s.scenario.workload === workload)
                .map((item) => (
                  <ScenarioItem
                    key={item.scenario.id}
                    item={item}
                    checked={form.scenarios.includes(item.scenario.id)}
                    onToggle={() => toggle(item.scenario.id)}
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
}: {
  item: CatalogueScenario;
  checked: boolean;
  onToggle: () => void;
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
              {item.reason ? <Prose text={item.reason} /> : "Does not work on this host."}
              {item.fix && (
                <>
                  {" "}
                  <span className="text-ink-2">
                    <Cure text={item.fix} />
                  </span>
                </>
              )}
            </span>
          )}
        </span>
      </label>
    </li>
  );
}
