const ESCAPE = "\u001b";
// Terminal sequences: CSI, OSC, other strings, and the short ones.
const ANSI = new RegExp(
  `${ESCAPE}(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007${ESCAPE}]*(?:\\u0007|${ESCAPE}\\\\)?|[PX^_][^${ESCAPE}]*(?:${ESCAPE}\\\\)?|[ -/]*[0-~])`,
  "g",
);
/** C0 and C1 but for tab and line feed. */
const CONTROL = /[^\P{Cc}\t\n]/gu;
/** Marks that turn the direction of the text around them: one line of a log must not rewrite the page. */
const BIDI = /[\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]/g;

/** Text from an agent as it may be shown: without terminal sequences, control characters and direction marks. */
export function plainText(text: string): string {
  const bare = text.includes(ESCAPE) ? text.replace(ANSI, "") : text;
  // A progress bar rewrites its line with carriage returns; what stands last is what a terminal would show.
  const lines = bare.split("\n").map((line) => {
    const parts = line.replace(/\r+$/, "").split("\r");
    return parts[parts.length - 1] ?? "";
  });
  return lines.join("\n").replace(CONTROL, "").replace(BIDI, "");
}

/** The same on one line: labels, titles, names. */
export const plainLine = (text: string): string => plainText(text).replace(/\s+/g, " ").trim();

export const plural = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString("en-US")} ${n === 1 ? one : many}`;
