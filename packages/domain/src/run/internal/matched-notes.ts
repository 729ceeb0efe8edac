import type { PlanEntry } from "@rigmark/protocol";
import type { MatchedSeries } from "@rigmark/results/match-series";

/** More sentences, or more values in one of them, nobody reads: the rest is counted. */
const MOST = 8;

interface Found {
  name: string;
  /** The same series in several runs, which are numbered as on the page. */
  of: { run: number; entry: PlanEntry }[];
}

/** Of series that are not the same in each run: they have other options there, or another label. */
export function matchedNotes(
  runs: readonly { entries: readonly PlanEntry[] }[],
  series: readonly MatchedSeries[],
): string[] {
  const all = series.map(
    ({ name, keys }): Found => ({
      name,
      of: keys.flatMap((key, place) => {
        const entry = key === null ? undefined : runs[place]?.entries.find((e) => e.key === key);
        return entry ? [{ run: place + 1, entry }] : [];
      }),
    }),
  );
  return [
    ...atMost(all.flatMap(optionsNote), "ran with other options"),
    ...atMost(all.flatMap(labelNote), "had another label in some of the runs"),
  ];
}

function optionsNote({ name, of }: Found): string[] {
  const options = [...new Set(of.flatMap(({ entry }) => Object.keys(entry.options)))].sort();
  const differ = options.filter((o) => new Set(of.map(({ entry }) => entry.options[o])).size > 1);
  if (differ.length === 0) return [];
  const write = ({ options: set }: PlanEntry) =>
    inWords(differ.slice(0, MOST).map((o) => (set[o] === undefined ? `no ${o}` : `${o}=${set[o]}`)));
  const parts = runsBy(of, write).map(([values, runs]) => `${values} in ${runs}`);
  return [`“${name}” ran with other options: ${cut(parts).join(", ")}.`];
}

function labelNote({ name, of }: Found): string[] {
  const renamed = of.filter(({ entry }) => entry.label !== name);
  const parts = runsBy(renamed, (entry) => `“${entry.label}”`).map(([label, runs]) => `${label} in ${runs}`);
  if (parts.length === 0) return [];
  const [are, they] = parts.length === 1 ? ["is", "it is"] : ["are", "they are"];
  return [`${inWords(cut(parts))} ${are} shown as “${name}”: ${they} the same server.`];
}

/** What was written of entries, each once, with the runs that have it. */
function runsBy(of: Found["of"], write: (entry: PlanEntry) => string): [string, string][] {
  const runs = new Map<string, number[]>();
  for (const { run, entry } of of) {
    const text = write(entry);
    runs.set(text, [...(runs.get(text) ?? []), run]);
  }
  return [...runs].map(([text, numbers]) => [
    text,
    `${numbers.length === 1 ? "run" : "runs"} ${inWords(numbers.map(String))}`,
  ]);
}

const inWords = (items: readonly string[]): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

const cut = (parts: readonly string[]): string[] =>
  parts.length > MOST ? [...parts.slice(0, MOST), `${parts.length - MOST} more`] : [...parts];

function atMost(notes: readonly string[], what: string): string[] {
  const more = notes.length - MOST;
  if (more <= 0) return [...notes];
  return [...notes.slice(0, MOST), `${more} more ${more === 1 ? "entry" : "entries"} ${what}.`];
}
