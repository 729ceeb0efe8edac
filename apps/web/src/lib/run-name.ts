import { plainLine } from "./text";

interface Named {
  title: string;
  entries: readonly { label: string }[];
}

/** What a list calls a run. */
export const nameOf = ({ title, entries }: Named): string =>
  plainLine(title) || entries.map((e) => plainLine(e.label)).join(", ");
