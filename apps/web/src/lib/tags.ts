import { MOST_TAG, MOST_TAGS } from "@rigmark/results/run-list";

/** `release, arm64` as a person writes it. */
export const tagsFrom = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== "");

/** What is wrong with the tags; null where nothing is. */
export function tagsProblem(tags: readonly string[]): string | null {
  if (tags.length > MOST_TAGS) return `A run has at most ${MOST_TAGS} tags; these are ${tags.length}.`;
  const long = tags.find((tag) => tag.length > MOST_TAG);
  return long === undefined ? null : `A tag has at most ${MOST_TAG} characters; shorten “${long}”.`;
}
