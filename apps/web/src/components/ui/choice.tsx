import { useId } from "react";

interface ChoiceProps<T extends string> {
  legend: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string; note?: string }[];
}

/** One of a few, a line each. */
export function Choice<T extends string>({ legend, value, onChange, options }: ChoiceProps<T>) {
  const id = useId();
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{legend}</legend>
      <ul className="panel divide-y divide-line">
        {options.map((option) => (
          <li key={option.value}>
            <label className="flex cursor-pointer items-center gap-x-3 px-3 py-1.5">
              <input
                type="radio"
                name={id}
                value={option.value}
                checked={option.value === value}
                onChange={() => onChange(option.value)}
              />
              <span>{option.label}</span>
              {option.note && <span className="ml-auto text-[0.929rem] text-ink-2">{option.note}</span>}
            </label>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
