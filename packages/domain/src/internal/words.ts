import { storable } from "./text";

/** More words narrow nothing that these do not. */
const MOST_WORDS = 10;

/** Words of a search, each of which has to be found; null where there is none. */
export function wordsOf(q: string | undefined): string[] | null {
  const words = storable(q ?? "").match(/\S+/gu) ?? [];
  return words.length > 0 ? words.slice(0, MOST_WORDS) : null;
}
