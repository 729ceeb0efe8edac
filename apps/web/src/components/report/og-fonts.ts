import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Language } from "@rigmark/results/language";
import { charactersOf } from "@/lib/woff";

interface Font {
  name: string;
  data: Buffer;
  weight: 400 | 600;
  style: "normal";
}
interface Fonts {
  fonts: Font[];
  /** What they have beside Latin, Greek and Cyrillic, as code points. */
  characters: ReadonlySet<number>;
}
const made = new Map<Language, Promise<Fonts>>();

/** Read from the build, never fetched. In English no Chinese typeface is read. */
export function ogFonts(language: Language): Promise<Fonts> {
  const known = made.get(language) ?? read(language);
  made.set(language, known);
  return known;
}

async function read(language: Language): Promise<Fonts> {
  const latin = await Promise.all([
    load("Plex", new URL("../../../fonts/IBMPlexSans-Regular.woff", import.meta.url), 400),
    load("Plex", new URL("../../../fonts/IBMPlexSans-SemiBold.woff", import.meta.url), 600),
  ]);
  if (language === "en") return { fonts: latin, characters: new Set() };
  const chinese = await load("Noto", new URL("../../../fonts/NotoSansSC-Medium.woff", import.meta.url), 400);
  return { fonts: [...latin, chinese], characters: charactersOf(chinese.data) };
}

const load = async (name: string, url: URL, weight: 400 | 600): Promise<Font> => ({
  name,
  data: await readFile(fileURLToPath(url)),
  weight,
  style: "normal",
});
