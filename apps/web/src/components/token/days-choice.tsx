import type { TokenDays } from "@rigmark/results";
import { TOKEN_DAYS } from "@rigmark/results/choices";
import { useId } from "react";

interface DaysChoiceProps {
  value: TokenDays;
  onChange: (days: TokenDays) => void;
}

/** How long a token works. */
export function DaysChoice({ value, onChange }: DaysChoiceProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        Expires
      </label>
      <select
        id={id}
        className="input"
        value={value ?? ""}
        onChange={({ target }) => onChange(TOKEN_DAYS.find((days) => String(days) === target.value) ?? null)}
      >
        {TOKEN_DAYS.map((days) => (
          <option key={days} value={days}>
            after {days} days
          </option>
        ))}
        <option value="">never</option>
      </select>
    </div>
  );
}
