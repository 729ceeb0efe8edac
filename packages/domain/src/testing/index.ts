/** A made-up agent, for tests of this package and of those that serve it. */
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
