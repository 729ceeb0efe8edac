/** Whether texts have each word of a query, and none that follows a `!`; in small or capital letters. */
export function hasWords(query: string, texts: readonly string[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) =>
      word.startsWith("!") ? word === "!" || !text.includes(word.slice(1)) : text.includes(word),
    );
}
