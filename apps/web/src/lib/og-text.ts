import { plainLine } from "./text";

/** What the picture's first typeface has. Anything else would make the generator look for a font on the network. */
const LATIN =
  /[\u0020-\u007e\u00a0-\u017f\u0391-\u03c9\u0410-\u044f\u2013\u2014\u2018-\u201e\u2022\u2026\u2030\u20ac\u2190-\u2193\u2212\u2248\u2260\u2264\u2265]/u;
/** A Chinese character takes the width of two others. */
const WIDE = /[\u2e80-\u9fff\uff00-\uff60]/;

export interface OgText {
  /** Text that can be drawn, cut in the middle: odd glyphs become a dot, a run of them one dot. */
  line(text: string, width: number): string;
  /** As many whole sentences as fit; a first one that does not fit is cut behind a word. */
  sentence(text: string, width: number): string;
}

const widthOf = (text: string): number => [...text].reduce((sum, char) => sum + (WIDE.test(char) ? 2 : 1), 0);

/** As many characters as fit. */
function startOf(text: string, width: number): string {
  let out = "";
  for (const char of text) {
    if (widthOf(out) + widthOf(char) > width) break;
    out += char;
  }
  return out;
}
const endOf = (text: string, width: number): string =>
  [...startOf([...text].reverse().join(""), width)].reverse().join("");

/** `characters`: what a second typeface has. */
export function ogTextWith(characters: ReadonlySet<number>): OgText {
  const drawable = (text: string): string => {
    const line = plainLine(text)
      .normalize("NFC")
      .replace(/[\u2000-\u200d\u202f]/g, " ");
    let out = "";
    for (const char of line) {
      if (LATIN.test(char) || characters.has(char.codePointAt(0) ?? 0)) out += char;
      else if (!out.endsWith("·")) out += "·";
    }
    return out;
  };
  return {
    line(text, width) {
      const line = drawable(text);
      if (widthOf(line) <= width) return line;
      const head = Math.ceil((width - 1) * 0.6);
      return `${startOf(line, head)}…${endOf(line, width - 1 - head)}`;
    },
    sentence(text, width) {
      const line = drawable(text);
      if (widthOf(line) <= width) return line;
      let out = "";
      for (const sentence of line.split(/(?<=[.!?] )(?=[A-Z0-9])|(?<=[。！？])/)) {
        if (widthOf(out + sentence.trimEnd()) > width) break;
        out += sentence;
      }
      if (out) return out.trimEnd();
      const cut = startOf(line, width);
      return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), cut.length / 2)).replace(/[,;:(，；：（]+$/, "")}…`;
    },
  };
}
