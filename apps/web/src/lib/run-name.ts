import type { RunListItem } from "@rigmark/results";
import { plainLine } from "./text";

/** What a list calls a run. */
export const nameOf = ({ title, entries }: Pick<RunListItem, "title" | "entries">): string =>
  plainLine(title) || entries.map((e) => plainLine(e.label)).join(", ");
