import type { Route } from "../route";

/** Runs that were made elsewhere. */
export const publications: readonly Route[] = [];
