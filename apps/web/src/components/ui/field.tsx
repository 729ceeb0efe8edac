import { type InputHTMLAttributes, type ReactNode, useId } from "react";

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Written behind the input, such as "s". */
  unit?: string;
}

export function Field({ label, hint, error, unit, className = "", ...input }: FieldProps) {
  const id = useId();
  const described = [hint ? `${id}-hint` : "", error ? `${id}-error` : ""].filter(Boolean).join(" ");
  return (
    <div className={className}>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <div className="flex items-center gap-2">
        <input
          {...input}
          id={id}
          className="input"
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
        />
        {unit && <span className="text-ink-2">{unit}</span>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-[0.929rem] text-ink-2">
          {hint}
        </p>
      )}
      {error && (
        <p id={`${id}-error`} className="mt-1 text-[0.929rem] text-bad" role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
