import MiniSearch from "minisearch";
import type { Section } from "./section";

export interface Piece {
  text: string;
  /** It is what was searched for. */
  found: boolean;
}
export interface Hit {
  href: string;
  page: string;
  heading: string;
  excerpt: Piece[];
}
export type Search = (query: string) => Hit[];

/** The same search in the browser and, for readers without scripts, on the server. */
export function makeSearch(sections: readonly Section[]): Search {
  const index = new MiniSearch<Section & { id: number }>({
    fields: ["heading", "page", "text"],
    searchOptions: {
      boost: { heading: 4, page: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: "AND",
    },
  });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query) =>
    index.search(query).flatMap(({ id, terms }) => {
      const section = sections[id];
      return section ? [{ ...section, excerpt: excerptOf(section.text, terms) }] : [];
    });
}

const BEFORE = 50;
const LENGTH = 170;

/** The text around the first word that was found, with every found word marked. */
export function excerptOf(text: string, terms: readonly string[]): Piece[] {
  const words = terms.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = words.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(${words.join("|")})`, "giu") : null;
  const first = pattern ? Math.max(0, text.search(pattern)) : 0;
  const from = first <= BEFORE ? 0 : text.indexOf(" ", first - BEFORE) + 1;
  const rest = text.slice(from);
  const end = rest.length <= LENGTH ? rest.length : Math.max(rest.lastIndexOf(" ", LENGTH), 1);
  const shown = `${from > 0 ? "… " : ""}${rest.slice(0, end)}${end < rest.length ? " …" : ""}`;
  if (!pattern) return [{ text: shown, found: false }];
  return shown
    .split(pattern)
    .map((part, place) => ({ text: part, found: place % 2 === 1 }))
    .filter((piece) => piece.text !== "");
}
