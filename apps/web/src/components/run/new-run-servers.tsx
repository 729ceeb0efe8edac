import type { CatalogueServer } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { addEntry, type EntryForm, type Problems, type RunForm, removeEntry } from "@/lib/new-run";
import { styleAt } from "@/lib/series-style";
import { plainLine, plainText } from "@/lib/text";
import { SeriesGlyph } from "../chart/glyph";
import { ReasonAndCure } from "../ui/prose";

interface ServerChoiceProps {
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
  problems: Problems;
}

/** Servers to tick. One that is ticked opens its entries: label, options, another variant. */
export function ServerChoice({ options, form, onChange, problems }: ServerChoiceProps) {
  const supported = [...options.servers].sort(
    (a, b) => Number(b.supported) - Number(a.supported) || a.name.localeCompare(b.name, "en"),
  );
  return (
    <fieldset>
      <legend className="block">
        <h2>Servers</h2>
      </legend>
      <p className="mb-2 text-ink-2">
        Each is an entry of the run. The same server with other options is another entry: add a variant.
      </p>
      {problems.entries && (
        <p className="note mb-2" data-tone="bad" data-problem role="alert">
          {problems.entries}
        </p>
      )}
      <ul className="panel divide-y divide-line">
        {supported.map((server) => (
          <ServerItem key={server.name} server={server} form={form} onChange={onChange} problems={problems} />
        ))}
      </ul>
    </fieldset>
  );
}

function ServerItem({
  server,
  form,
  onChange,
  problems,
}: Omit<ServerChoiceProps, "options"> & { server: CatalogueServer }) {
  const entries = form.entries.filter((e) => e.server === server.name);
  const toggle = () =>
    onChange(
      entries.length > 0 ? entries.reduce((f, e) => removeEntry(f, e.id), form) : addEntry(form, server),
    );
  return (
    <li className="px-4 py-2.5">
      <label className={`flex gap-3 ${server.supported ? "cursor-pointer" : "cursor-not-allowed"}`}>
        <input
          type="checkbox"
          className="mt-0.5"
          checked={entries.length > 0}
          disabled={!server.supported && entries.length === 0}
          onChange={toggle}
          aria-label={plainLine(server.name)}
        />
        <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className={server.supported ? "" : "text-ink-3"}>
            <bdi className="font-medium">{plainLine(server.name)}</bdi>{" "}
            <span className="text-ink-2">
              {[plainLine(server.language), server.workloads.join(", ")].filter(Boolean).join(" · ")}
            </span>
          </span>
          <span className="block text-[0.929rem] text-ink-2">{plainText(server.summary)}</span>
          {!server.supported && (
            <span className="block text-[0.929rem] text-warn">
              <ReasonAndCure reason={server.reason} fix={server.fix} />
            </span>
          )}
        </span>
      </label>
      {entries.length > 0 && (
        <div className="mt-2 space-y-2 sm:ml-7">
          {entries.map((entry) => (
            <EntryFields
              key={entry.id}
              server={server}
              entry={entry}
              place={form.entries.indexOf(entry)}
              problem={problems[`entry-${entry.id}`]}
              removable={entries.length > 1}
              onRemove={() => onChange(removeEntry(form, entry.id))}
              onChange={(next) =>
                onChange({ ...form, entries: form.entries.map((e) => (e.id === entry.id ? next : e)) })
              }
            />
          ))}
          <button
            type="button"
            className="btn"
            data-size="small"
            onClick={() => onChange(addEntry(form, server))}
          >
            Add a variant
          </button>
        </div>
      )}
    </li>
  );
}

interface EntryFieldsProps {
  server: CatalogueServer;
  entry: EntryForm;
  place: number;
  problem: string | undefined;
  removable: boolean;
  onRemove: () => void;
  onChange: (entry: EntryForm) => void;
}

function EntryFields({ server, entry, place, problem, removable, onRemove, onChange }: EntryFieldsProps) {
  return (
    <div className="border-line border-l-2 pl-3" {...(problem ? { "data-problem": "" } : {})}>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <SeriesGlyph style={styleAt(place)} />
        <label className="flex min-w-0 items-center gap-2">
          <span className="text-ink-2">label</span>
          <input
            className="input min-w-0 max-w-48"
            value={entry.label}
            maxLength={80}
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
        <p className="mt-1 text-[0.929rem] text-bad" role="alert">
          {plainText(problem)}
        </p>
      )}
    </div>
  );
}
