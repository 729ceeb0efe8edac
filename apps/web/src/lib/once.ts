/** When it is first asked for: what a page on the server draws no picture of, it does not make. */
export function once<T>(make: () => T): () => T {
  let made: { of: T } | null = null;
  return () => {
    made ??= { of: make() };
    return made.of;
  };
}
