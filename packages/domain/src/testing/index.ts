/** A made-up agent and made-up runs, for tests of this package and of those that serve it. */

export { withCodesOf } from "../internal/run/complete-summary";
export { summaryOf } from "../internal/run/summarize";
export { makeAgentKey } from "./agent-key";
export { CATALOGUE, FACTS, SCENARIO, SPEC } from "./fixtures";
export {
  type JournalOptions,
  packChunk,
  packChunks,
  type TestChunk,
  totalsOf,
  writeJournal,
} from "./journal";
