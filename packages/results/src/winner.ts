import type { ScenarioSummary } from "./view/summary";

/**
 * The winner by verdict. In reports from before `no_winner` the key only meant the best median, which wins nothing.
 * A file of its own, without schemas: a public report's browser code needs it, and must not carry zod with it.
 */
export const winnerKeyOf = (scenario: Pick<ScenarioSummary, "winner_key" | "no_winner">): string | null =>
  scenario.no_winner === null ? scenario.winner_key : null;
