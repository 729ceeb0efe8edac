import { formatDuration } from "@rigmark/metrics";
import type { CatalogueScenario } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { useState } from "react";
import { loadInWords } from "@/lib/load-words";
import type { NumbersForm, Problems, RunForm } from "@/lib/new-run";
import { hasWords } from "@/lib/search-words";
import { plainLine } from "@/lib/text";
import { useWords } from "@/lib/words";
import { ReasonAndCure } from "../ui/prose";
import { ChoiceBox, ChoiceGroup, LackingGroup } from "./new-run-box";
import { NumberFields } from "./new-run-numbers";

interface ScenarioChoiceProps {
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
  problems: Problems;
}

/** Scenarios to tick, by workload. One that is ticked opens fields for its numbers. */
export function ScenarioChoice({ options, form, onChange, problems }: ScenarioChoiceProps) {
  const w = useWords();
  const [query, setQuery] = useState("");
  const own = (workload: string) => workload === "http";
  const ticked = new Set(form.scenarios);
  // What has to be corrected stays in sight, whatever is searched for.
  const found = options.scenarios.filter(
    ({ scenario: s }) =>
      problems[`scenario-${s.id}`] !== undefined ||
      hasWords(query, [s.id, s.title, s.summary ?? "", s.workload, s.tool, loadInWords(w, s.load)]),
  );
  const [usable, lacking] = [
    found.filter((s) => s.supported || ticked.has(s.scenario.id)),
    found.filter((s) => !s.supported && !ticked.has(s.scenario.id)),
  ];
  // What somebody wrote for this host is what they look for.
  const workloads = [...new Set(usable.map((s) => s.scenario.workload))].sort(
    (a, b) => Number(own(b)) - Number(own(a)),
  );
  const toggle = (id: string) =>
    onChange({
      ...form,
      scenarios: ticked.has(id) ? form.scenarios.filter((s) => s !== id) : [...form.scenarios, id],
    });
  const nameOf = (id: string) =>
    plainLine(options.scenarios.find((s) => s.scenario.id === id)?.scenario.title ?? id);
  const item = (of: CatalogueScenario) => {
    const { id } = of.scenario;
    return (
      <ScenarioItem
        key={id}
        item={of}
        checked={ticked.has(id)}
        onToggle={() => toggle(id)}
        numbers={form.numbers[id] ?? {}}
        onNumbers={(numbers) => onChange({ ...form, numbers: { ...form.numbers, [id]: numbers } })}
        problem={problems[`scenario-${id}`]}
      />
    );
  };
  return (
    <ChoiceBox
      title="Scenarios"
      about="Each is one workload under one load. A closed loop ranks throughput; a fixed rate ranks latency."
      things="scenarios"
      count={options.scenarios.length}
      query={query}
      onQuery={setQuery}
      chosen={form.scenarios.map((id) => ({ key: id, name: nameOf(id), onRemove: () => toggle(id) }))}
      problem={problems.scenarios}
      noMatch={found.length === 0 && query.trim() !== ""}
    >
      {workloads.map((workload) => {
        const of = usable.filter((s) => s.scenario.workload === workload);
        return (
          <ChoiceGroup
            key={workload}
            title={own(workload) ? "Your own loads" : workload}
            count={of.length}
            chosen={of.filter((s) => ticked.has(s.scenario.id)).length}
          >
            {of.map(item)}
          </ChoiceGroup>
        );
      })}
      <LackingGroup count={lacking.length} query={query}>
        {lacking.map(item)}
      </LackingGroup>
    </ChoiceBox>
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
