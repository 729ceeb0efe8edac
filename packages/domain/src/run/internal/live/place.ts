/** Up to where a viewer has what a run's newest attempt wrote. */
export interface Place {
  attemptNo: number;
  seq: number;
}

export const idOf = (attemptNo: number, seq: number): string => `${attemptNo}:${seq}`;

/** Null for what is no id of ours: whoever sends it begins anew. */
export function parsePlace(lastEventId: string | null | undefined): Place | null {
  const match = /^(\d{1,9}):(-?\d{1,15})$/.exec(lastEventId ?? "");
  return match ? { attemptNo: Number(match[1]), seq: Number(match[2]) } : null;
}
