/** A made-up agent and made-up runs, for tests of this package and of those that serve it. */
export { summaryOf } from "../internal/run/summarise";
export { withCodesOf } from "../report/internal/complete-summary";
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
