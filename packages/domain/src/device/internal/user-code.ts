import { randomInt } from "node:crypto";

/** No vowels, so that no word comes out, and nothing that looks like a digit. */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";

/** Such as `BCDF-GHJK`: 34 bits, which ten minutes and a limit on tries do not leave time to guess. */
export function newUserCode(): string {
  const letters = Array.from({ length: 8 }, () => LETTERS[randomInt(LETTERS.length)]).join("");
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
