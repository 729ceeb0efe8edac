import { MOST_SEARCH } from "@rigmark/results/run-list";

type Parameter = string | string[] | undefined;

/** What a list's address searches for. */
export const searchIn = (q: Parameter): string => [q ?? []].flat().join(" ").trim().slice(0, MOST_SEARCH);

/** The page that it names; null for the first one. */
export const cursorIn = (cursor: Parameter): string | null =>
  typeof cursor === "string" && cursor !== "" ? cursor : null;

/** Address of a page of a list. */
export function listPath(path: string, { q, cursor }: { q?: string; cursor?: string | undefined }): string {
  const query = new URLSearchParams({ ...(q && { q }), ...(cursor && { cursor }) }).toString();
  return `${path}${query && `?${query}`}`;
}
