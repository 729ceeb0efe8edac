import { middleCut, plainLine } from "./text";

/** What the picture's typeface has. Anything else would make the generator look for a font on the network. */
const DRAWABLE =
  /[\u0020-\u007e\u00a0-\u017f\u0391-\u03c9\u0410-\u044f\u2013\u2014\u2018-\u201e\u2022\u2026\u2030\u20ac\u2190-\u2193\u2212\u2248\u2260\u2264\u2265]/u;

/** Text for the picture: odd glyphs become a dot, a run of them one dot. */
export function ogText(text: string, max: number): string {
  const line = plainLine(text)
    .normalize("NFC")
    .replace(/[\u2000-\u200d\u202f]/g, " ");
  let out = "";
  for (const char of line) {
    if (DRAWABLE.test(char)) out += char;
    else if (!out.endsWith("·")) out += "·";
  }
  return middleCut(out, max);
}

/** As many whole sentences as fit; a first one that does not fit is cut behind a word. */
export function ogSentence(text: string, max: number): string {
  const line = ogText(text, 10_000);
  if (line.length <= max) return line;
  const sentences = line.split(/(?<=[.!?]) (?=[A-Z0-9])/);
  let out = "";
  for (const sentence of sentences) {
    if (out.length + sentence.length + 1 > max) break;
    out = out ? `${out} ${sentence}` : sentence;
  }
  if (out) return out;
  const cut = line.slice(0, max);
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), max / 2)).replace(/[,;:(]+$/, "")}…`;
}
