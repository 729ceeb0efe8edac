/** Where a reader of a report takes the plan of one of its runs to a host of their own; `place` counts from 1. */
export const repeatPath = (slug: string, place: number): string =>
  `/r/${slug}/repeat${place > 1 ? `?run=${place}` : ""}`;
