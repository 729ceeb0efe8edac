import { wordsIn } from "@rigmark/messages/catalogue";
import { SOURCES } from "./pages";
import { type Doc, parseDoc } from "./parse";
import { type Section, sectionsOf } from "./section";

const pages = new Map(SOURCES.map(({ file, name }) => [file, name]));
const parsed = new Map<string, Doc>();

/** The page of this name. Each is parsed once, when it is first asked for. */
export function docOf(name: string): Doc | null {
  const known = parsed.get(name);
  if (known) return known;
  const source = SOURCES.find((s) => s.name === name);
  if (!source) return null;
  const doc = parseDoc({ ...source, pages });
  parsed.set(name, doc);
  return doc;
}

let sections: Section[] | null = null;

/** Everything that search finds, in English as the pages are: each part of each page between two headings, and each line of the glossary. */
export function allSections(): Section[] {
  sections ??= SOURCES.flatMap(({ name }) => {
    const doc = docOf(name);
    return doc ? sectionsOf(doc, name, wordsIn("en").t(`docs.pages.${name}.title`)) : [];
  });
  return sections;
}
