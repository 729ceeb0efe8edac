"use client";

import type { Scenario } from "@rigmark/protocol";
import type { RunSummary } from "@rigmark/results";
import { plainLine } from "@/lib/text";

interface ScenarioTabsProps {
  scenarios: readonly Scenario[];
  summary: RunSummary | null;
  value: string;
  onChange: (id: string) => void;
}

/** One row a scenario, with its verdict sentence: reading them is enough to know the run. */
export function ScenarioTabs({ scenarios, summary, value, onChange }: ScenarioTabsProps) {
  return (
    <ul className="panel divide-y divide-line" aria-label="Scenarios">
      {scenarios.map((scenario) => (
        <li key={scenario.id}>
          <button
            type="button"
            aria-pressed={scenario.id === value}
            onClick={() => onChange(scenario.id)}
            className="grid w-full cursor-pointer gap-x-6 border-transparent border-l-2 px-4 py-2 text-left hover:bg-sunk aria-pressed:border-accent aria-pressed:bg-sunk md:grid-cols-[16rem_minmax(0,1fr)]"
          >
            <span className="font-medium">{plainLine(scenario.title)}</span>
            <span className="text-ink-2">
              {plainLine(
                summary?.scenarios.find((s) => s.scenario === scenario.id)?.sentence ?? "not measured yet",
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
