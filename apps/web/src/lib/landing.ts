export const LAST_WORKSPACE = "rigmark-workspace";

interface Place {
  slug: string;
  hosts: number;
  runs: number;
}

/** Where somebody lands who asks for no workspace: where they were last, else where there is something to see. */
export function landing<T extends Place>(places: readonly T[], last: string | undefined): T | undefined {
  return places.find((p) => p.slug === last) ?? places.find((p) => p.runs > 0 || p.hosts > 0) ?? places[0];
}
