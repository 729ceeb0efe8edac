import type { PlanEntry } from "@rigmark/protocol";
import { changesBetween, type EntryChange, type MatchedSeries } from "@rigmark/results/match-series";

/** More sentences, or more values in one of them, nobody reads: the rest is counted. */
const MOST = 8;

/** Of a hash. */
const CHARS = 12;

interface Run {
  entries: readonly PlanEntry[];
}

interface Found {
  name: string;
  /** The same series in several runs, which are numbered as on the page. */
  of: { run: number; entry: PlanEntry }[];
}

const find = (runs: readonly Run[], { name, keys }: MatchedSeries): Found => ({
  name,
  of: keys.flatMap((key, place) => {
    const entry = key === null ? undefined : runs[place]?.entries.find((e) => e.key === key);
    return entry ? [{ run: place + 1, entry }] : [];
  }),
});

/** Run by run: what of a series is not as in the first run that has it. */
export function changedIn(runs: readonly Run[], series: MatchedSeries): EntryChange[][] {
  const [first, ...others] = find(runs, series).of;
  return runs.map((_, place) => {
    const other = others.find(({ run }) => run === place + 1);
    return first && other ? changesBetween(first.entry, other.entry) : [];
  });
}

/** Of series that are not the same in each run: they are other servers there, of other files or options, or have another label. */
export function matchedNotes(runs: readonly Run[], series: readonly MatchedSeries[]): string[] {
  const all = series.map((each) => find(runs, each));
  return [
    ...atMost(all.flatMap(serverNote), "ran as different servers"),
    ...atMost(all.flatMap(optionsNote), "ran with other options"),
    ...atMost(all.flatMap(filesNote), "ran from different files"),
    ...atMost(all.flatMap(commitNote), "ran from the same files at different commits"),
    ...atMost(all.flatMap(labelNote), "had another label in some of the runs"),
  ];
}

const distinct = (of: Found["of"], what: (entry: PlanEntry) => string | undefined): number =>
  new Set(of.flatMap(({ entry }) => what(entry) ?? [])).size;

const hash = ({ content_hash }: PlanEntry): string => content_hash;

/** Its folder in a repository tells a server from others of its name. */
const areServers = (of: Found["of"]): boolean =>
  distinct(of, ({ server }) => server) > 1 || distinct(of, ({ revision }) => revision?.folder) > 1;

const serverOf = ({ server, revision }: PlanEntry): string =>
  revision?.folder === undefined || revision.folder === "." ? server : `${server} (${revision.folder})`;

function serverNote({ name, of }: Found): string[] {
  if (!areServers(of)) return [];
  const parts = runsBy(of, serverOf).map(([server, runs]) => `${server} in ${runs}`);
  return [`“${name}” ran as different servers: ${cut(parts).join(", ")}.`];
}

function filesNote({ name, of }: Found): string[] {
  // Of another server the files are others in any case.
  const alike = areServers(of) ? runsBy(of, serverOf).map(([server]) => ofServer(of, server)) : [of];
  if (alike.every((each) => distinct(each, hash) < 2)) return [];
  // One commit may have two hashes: what is ignored in a folder changes with the agent.
  const told = of.every((a) =>
    of.every((b) => filesOf(a.entry) !== filesOf(b.entry) || hash(a.entry) === hash(b.entry)),
  );
  const parts = runsBy(of, (entry) => filesOf(entry, told ? undefined : true)).map(
    ([files, runs]) => `${files} in ${runs}`,
  );
  return [`“${name}” ran from different files: ${cut(parts).join(", ")}.`];
}

const ofServer = (of: Found["of"], server: string): Found["of"] =>
  of.filter(({ entry }) => serverOf(entry) === server);

/** By their commit, which does not tell all where the folder was changed since; by their hash where no commit is known. */
function filesOf({ revision, content_hash }: PlanEntry, withHash = revision?.dirty): string {
  const content = `content ${content_hash.slice(0, CHARS)}`;
  if (!revision) return content;
  const commit = `commit ${revision.commit.slice(0, CHARS)}${revision.dirty ? " with changes" : ""}`;
  return withHash ? `${commit} (${content})` : commit;
}

function commitNote({ name, of }: Found): string[] {
  const commits = distinct(of, ({ revision }) => revision?.commit);
  if (areServers(of) || distinct(of, hash) > 1 || commits < 2) return [];
  const known = of.filter(({ entry }) => entry.revision);
  const parts = runsBy(known, (entry) => filesOf(entry, false)).map(
    ([commit, runs]) => `${commit} in ${runs}`,
  );
  return [`“${name}” ran from the same files at different commits: ${cut(parts).join(", ")}.`];
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
  const are = parts.length === 1 ? "is" : "are";
  return [
    `${inWords(cut(parts))} ${are} shown as “${name}”: the server's name and the options are the same.`,
  ];
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
