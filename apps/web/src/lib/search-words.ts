/** Whether a text has every word of a query, in any order and in small or capital letters. */
export function hasWords(query: string, texts: readonly string[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
