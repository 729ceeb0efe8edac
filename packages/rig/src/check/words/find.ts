import { EXCEPTIONS } from "./exceptions";
import { RETIRED } from "./retired";

export interface Found {
  file: string;
  line: number;
  word: string;
  say: string;
}

/** Every retired word in the text of one file. */
export function retiredIn(file: string, text: string): Found[] {
  const rules = RETIRED.filter((rule) => rule.in?.test(file) ?? true);
  const exceptions = EXCEPTIONS.filter((exception) => exception.in?.test(file) ?? true);
  return text.split("\n").flatMap((line, index) => {
    const rest = exceptions.reduce((left, { text }) => left.replaceAll(new RegExp(text, "gi"), " "), line);
    return rules.flatMap(({ find, say }) => {
      const word = find.exec(rest)?.[0];
      return word === undefined ? [] : [{ file, line: index + 1, word, say }];
    });
  });
}
