import type { Scope } from "@rigmark/results";
import { hasScope, SCOPE_WORDS, SCOPES } from "@rigmark/results/choices";
import { useId } from "react";

interface ScopeChoiceProps {
  value: readonly Scope[];
  onChange: (scopes: Scope[]) => void;
}

/** What a token may do, a line each. What another one includes is ticked with it. */
export function ScopeChoice({ value, onChange }: ScopeChoiceProps) {
  const id = useId();
  const toggle = (scope: Scope) =>
    onChange(value.includes(scope) ? value.filter((s) => s !== scope) : [...value, scope]);
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Scopes</legend>
      <ul className="panel divide-y divide-line">
        {SCOPES.map((scope) => {
          const included = !value.includes(scope) && hasScope(value, scope);
          return (
            <li key={scope}>
              <label
                htmlFor={`${id}-${scope}`}
                className="grid cursor-pointer grid-cols-[1rem_minmax(0,1fr)] items-center gap-x-3 gap-y-0.5 px-3 py-2 sm:grid-cols-[1rem_4.5rem_minmax(0,1fr)]"
              >
                <input
                  id={`${id}-${scope}`}
                  type="checkbox"
                  checked={value.includes(scope) || included}
                  disabled={included}
                  onChange={() => toggle(scope)}
                />
                <span className="font-medium">{scope}</span>
                <span className="col-start-2 text-[0.929rem] text-ink-2 sm:col-start-3">
                  {SCOPE_WORDS[scope]}
                </span>
              </label>
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
