import type { CatalogueServer } from "@rigmark/protocol";
import { useId } from "react";
import { type EntryForm, wrongOption } from "@/lib/new-run";
import { styleAt } from "@/lib/series-style";
import { plainLine, plainText } from "@/lib/text";
import { SeriesGlyph } from "../chart/glyph";

interface EntryFieldsProps {
  server: CatalogueServer;
  entry: EntryForm;
  place: number;
  problem: string | undefined;
  removable: boolean;
  onRemove: () => void;
  onChange: (entry: EntryForm) => void;
}

/** Label and options of an entry. */
export function EntryFields({
  server,
  entry,
  place,
  problem,
  removable,
  onRemove,
  onChange,
}: EntryFieldsProps) {
  const message = useId();
  const wrong = wrongOption(entry, server);
  /** `option`: null for the name, beside which everything else is said. */
  const state = (option: string | null) =>
    problem && option === wrong ? { "aria-invalid": true, "aria-describedby": message } : {};
  return (
    <div className="border-line border-l-2 pl-3" {...(problem ? { "data-problem": "" } : {})}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SeriesGlyph style={styleAt(place)} />
        <label className="flex min-w-0 items-center gap-2">
          <span className="text-ink-2">name</span>
          <input
            className="input min-w-0 max-w-48"
            value={entry.label}
            maxLength={80}
            {...state(null)}
            onChange={(event) => onChange({ ...entry, label: event.target.value })}
          />
        </label>
        {entry.revision !== undefined && (
          <span className="min-w-0 break-words text-ink-2">
            at <bdi className="font-mono">{plainLine(entry.revision)}</bdi>
          </span>
        )}
        {Object.entries(server.options).map(([name, range]) => (
          <label key={name} className="flex items-center gap-2">
            <span className="text-ink-2">{plainLine(name)}</span>
            <input
              className="input min-w-20"
              // Its largest value is seen whole, beside padding and the arrows that browsers put in.
              style={{ width: `${String(range.max).length + 5}ch` }}
              type="number"
              inputMode="numeric"
              min={range.min}
              max={range.max}
              step={1}
              value={entry.options[name] ?? ""}
              placeholder={`${range.default}`}
              aria-label={`${name} of ${entry.label}`}
              title={`${range.min} to ${range.max}`}
              {...state(name)}
              onChange={(event) =>
                onChange({ ...entry, options: { ...entry.options, [name]: event.target.value } })
              }
            />
          </label>
        ))}
        {removable && (
          <button type="button" className="btn" data-kind="quiet" data-size="small" onClick={onRemove}>
            Remove
          </button>
        )}
      </div>
      {problem && (
        <p id={message} className="mt-1 text-[0.929rem] text-bad" role="alert">
          {plainText(problem)}
        </p>
      )}
    </div>
  );
}
