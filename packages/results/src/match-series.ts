import type { Revision } from "@rigmark/protocol";

/**
 * The same entry in several runs is a series. A changed server is the same series, so nothing is matched by content:
 * first by label; then what is left over by server and options, where each run has one such entry, because `base` in one
 * run may be `main` in another. What did change is said beside it: `changesBetween`.
 */
export interface MatchedSeries {
  /** Its label in the first run that has it. */
  name: string;
  server: string;
  /** The entry's key in each run; null where the run has none. */
  keys: (string | null)[];
}

type Options = Readonly<Record<string, number>>;

export interface EntriesOfRun {
  entries: readonly {
    key: string;
    label: string;
    server: string;
    options: Options;
    revision?: Pick<Revision, "folder"> | undefined;
  }[];
}

type WithOptions = MatchedSeries & { options: Options; folder: string | undefined };

export const sameOptions = (a: Options, b: Options): boolean =>
  [...Object.keys(a), ...Object.keys(b)].every((name) => a[name] === b[name]);

/** What of an entry is not as it was in another run. */
export const ENTRY_CHANGES = ["server", "options", "build", "commit"] as const;
export type EntryChange = (typeof ENTRY_CHANGES)[number];

export interface EntryIdentity {
  server: string;
  content_hash: string;
  options: Options;
  revision?: Pick<Revision, "commit" | "folder"> | undefined;
}

/** Of another server everything is another: only that is told. What is not known is no change. */
export function changesBetween(a: EntryIdentity, b: EntryIdentity): EntryChange[] {
  if (a.server !== b.server || areOther(a.revision?.folder, b.revision?.folder)) return ["server"];
  const built = a.content_hash !== b.content_hash;
  return [
    ...(sameOptions(a.options, b.options) ? [] : (["options"] as const)),
    ...(built ? (["build"] as const) : []),
    ...(!built && areOther(a.revision?.commit, b.revision?.commit) ? (["commit"] as const) : []),
  ];
}

const areOther = (a: string | undefined, b: string | undefined): boolean =>
  a !== undefined && b !== undefined && a !== b;

/** In the order in which the runs declare them. */
export function matchSeries(runs: readonly EntriesOfRun[]): MatchedSeries[] {
  const byLabel: WithOptions[] = [];
  for (const [place, { entries }] of runs.entries())
    for (const { key, label, server, options, revision } of entries) {
      const found = byLabel.find((s) => s.name === label && s.keys[place] === null);
      const series: WithOptions = found ?? {
        ...{ name: label, server, options, folder: revision?.folder },
        keys: runs.map(() => null),
      };
      series.keys[place] = key;
      if (!found) byLabel.push(series);
    }
  return joinByServer(byLabel);
}

const places = ({ keys }: MatchedSeries): number[] =>
  keys.flatMap((key, place) => (key === null ? [] : [place]));

/** Series of one run each whose servers and options are the same, if no run has two of them and all are of one folder. */
function joinByServer(all: readonly WithOptions[]): MatchedSeries[] {
  const alone = all.filter((s) => places(s).length === 1);
  const joined: MatchedSeries[] = [];
  for (const series of all) {
    const { name, server, options, keys } = series;
    const like = alone.includes(series)
      ? alone.filter((s) => s.server === server && sameOptions(s.options, options))
      : [series];
    const clash = new Set(like.flatMap(places)).size < like.length;
    const folders = new Set(like.flatMap(({ folder }) => folder ?? []));
    if (clash || folders.size > 1 || like.length === 1) joined.push({ name, server, keys });
    else if (like[0] === series)
      joined.push({
        ...{ name, server },
        keys: keys.map((_, p) => like.find((s) => s.keys[p] !== null)?.keys[p] ?? null),
      });
  }
  return joined;
}
