import type { CatalogueServer } from "@rigmark/protocol";
import type { RunOptions } from "@rigmark/results";
import { useState } from "react";
import { addEntry, type Problems, type RunForm, removeEntry } from "@/lib/new-run";
import { hasWords } from "@/lib/search-words";
import { plainLine, plainText } from "@/lib/text";
import { ReasonAndCure } from "../ui/prose";
import { ChoiceBox, ChoiceGroup, LackingGroup } from "./new-run-box";
import { EntryFields } from "./new-run-entry";

interface ServerChoiceProps {
  options: RunOptions;
  form: RunForm;
  onChange: (form: RunForm) => void;
  problems: Problems;
}

/** Servers to tick, by language. One that is ticked opens its entries: label, options, another variant. */
export function ServerChoice({ options, form, onChange, problems }: ServerChoiceProps) {
  const [query, setQuery] = useState("");
  const ticked = new Set(form.entries.map((e) => e.server));
  // What has to be corrected stays in sight, whatever is searched for.
  const wrong = new Set(
    form.entries.flatMap((e) => (problems[`entry-${e.id}`] === undefined ? [] : e.server)),
  );
  const found = options.servers
    .filter(
      (s) => wrong.has(s.name) || hasWords(query, [s.name, s.title, s.language, s.summary, ...s.workloads]),
    )
    .sort((a, b) => a.name.localeCompare(b.name, "en"));
  // What is ticked stays where it can be seen, whatever this host says of it.
  const [usable, lacking] = [
    found.filter((s) => s.supported || ticked.has(s.name)),
    found.filter((s) => !s.supported && !ticked.has(s.name)),
  ];
  const languages = [...new Set(usable.map((s) => s.language))].sort((a, b) => a.localeCompare(b, "en"));
  const item = (server: CatalogueServer) => (
    <ServerItem key={server.name} server={server} form={form} onChange={onChange} problems={problems} />
  );
  return (
    <ChoiceBox
      title="Servers"
      about="Each becomes an entry of the run. To also run a server with other options, add a variant."
      things="servers"
      count={options.servers.length}
      query={query}
      onQuery={setQuery}
      chosen={form.entries.map((entry) => ({
        key: entry.id,
        name: plainLine(entry.label) || plainLine(entry.server),
        onRemove: () => onChange(removeEntry(form, entry.id)),
      }))}
      problem={problems.entries}
      noMatch={found.length === 0 && query.trim() !== ""}
    >
      <UnknownEntries options={options} form={form} problems={problems} />
      {languages.map((language) => {
        const of = usable.filter((s) => s.language === language);
        return (
          <ChoiceGroup
            key={language}
            title={plainLine(language) || "Other"}
            count={of.length}
            chosen={of.filter((s) => ticked.has(s.name)).length}
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

/** Entries of a plan from elsewhere whose servers this host does not have: they can only be taken out. */
function UnknownEntries({
  options,
  form,
  problems,
}: Pick<ServerChoiceProps, "options" | "form" | "problems">) {
  const known = new Set(options.servers.map((s) => s.name));
  const unknown = form.entries.filter((e) => !known.has(e.server));
  if (unknown.length === 0) return null;
  return (
    <ul className="divide-y divide-line border-line border-b">
      {unknown.map((entry) => (
        <li
          key={entry.id}
          className="px-4 py-2 text-[0.929rem] text-warn [overflow-wrap:anywhere]"
          {...(problems[`entry-${entry.id}`] ? { "data-problem": "" } : {})}
        >
          This host has no server <bdi>{plainLine(entry.server)}</bdi>: remove{" "}
          <bdi>{plainLine(entry.label)}</bdi> above, or add the server to the host.
        </li>
      ))}
    </ul>
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
